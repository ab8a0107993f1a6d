-- Mails are asked for and looked at by people: an address without an account says
-- yes first, a mail that was sent can be opened in a browser by the link in it for
-- 60 days, and pages list them. Nothing sends mails before this step.

-- +goose Up
alter table subscriptions
    add pdf boolean not null default false,
    -- who added an address that has no account
    add created_by bigint references people on delete set null,
    -- SHA-256 of the secret in the mail that asks the address, and until when it may answer
    add confirm_hash bytea unique,
    add confirm_until timestamptz,
    add check ((confirm_hash is null) = (confirm_until is null));

-- body is kept after the mail was sent, for its web view; a round of the post deletes
-- what is older than 60 days.
alter table deliveries
    add written_at timestamptz,
    add subject text not null default '';
create index deliveries_kept on deliveries (written_at) where body is not null;

-- The secret of a written mail, which opens its web view and ends its subscription.
-- Only its hash is kept. A mail that is sent anew gets another; the earlier one goes
-- on working.
create table mail_links (
    -- SHA-256 of 256 bits
    hash bytea primary key,
    subscription_id bigint not null references subscriptions on delete cascade,
    delivery_id bigint references deliveries on delete cascade,
    -- the subscription's
    store_id bigint references stores on delete cascade
);
create index mail_links_subscription on mail_links (subscription_id);
create index mail_links_delivery on mail_links (delivery_id);
create index mail_links_store on mail_links (store_id);
insert into mail_links (hash, subscription_id, delivery_id, store_id)
select unsubscribe_hash, subscription_id, id, store_id from deliveries where unsubscribe_hash is not null;
alter table deliveries drop unsubscribe_hash;

-- A subscription to all stores names none: its person sees it, and who sees every store.
-- So enter says who asks, too.
-- +goose StatementBegin
create or replace function enter(kind text, key text, at timestamptz) returns void
language plpgsql security definer as $$
declare
    of_person bigint;
    of_token bigint;
    every boolean := false;
    held bigint[];
begin
    case kind
    when 'session' then
        select p.id, p.role = 'admin'
        into of_person, every
        from sessions s
        join people p on p.id = s.person_id
        where s.token = key and s.expiry > at and p.disabled_at is null;
    when 'token' then
        select a.id
        into of_token
        from api_tokens a
        where a.token_hash = decode(key, 'hex') and a.revoked_at is null;
    when 'share' then
        select array[h.store_id]
        into held
        from shares h
        join stores t on t.id = h.store_id
        join people p on p.id = h.created_by
        where h.token_hash = decode(key, 'hex') and h.revoked_at is null and h.expires_at > at and t.removed_at is null and p.disabled_at is null;
    end case;
    if of_person is not null or of_token is not null then
        select
            coalesce(every, false) or coalesce(bool_or(g.store_id is null and g.group_id is null), false),
            array_agg(distinct t.id) filter (where t.id is not null)
        into every, held
        from grants g
        left join group_stores m on m.group_id = g.group_id
        left join stores t on t.id = coalesce(g.store_id, m.store_id) and t.removed_at is null
        where (of_person is not null and g.person_id = of_person) or (of_token is not null and g.api_token_id = of_token);
    end if;
    perform set_config('storeglass.person', coalesce(of_person::text, ''), true);
    perform set_config('storeglass.stores', case when every then '*' else coalesce(held::text, '') end, true);
end
$$;
-- +goose StatementEnd
-- A function that is replaced forgets where it looks for tables.
-- +goose StatementBegin
do $$
begin
    execute format('alter function enter(text, text, timestamptz) set search_path = pg_catalog, %I, pg_temp', current_schema());
end
$$;
-- +goose StatementEnd

create function asking_person() returns bigint
language sql stable parallel safe as $$
    select nullif(current_setting('storeglass.person', true), '')::bigint
$$;

create policy pages_of_no_store on subscriptions for select to storeglass_pages
    using (store_id is null and person_id = (select asking_person()));
create policy pages_of_no_store on deliveries for select to storeglass_pages
    using (store_id is null and subscription_id in (select s.id from subscriptions s where s.person_id = (select asking_person())));
create policy pages_of_no_store on delivery_tries for select to storeglass_pages
    using (store_id is null and delivery_id in (select d.id from deliveries d where d.store_id is null));

-- Pages read all but what opens something and what was written to somebody. Whatever
-- changes goes by the worker, which looks at the rights again.
select build_wall('mail_links');
grant
    select (id, store_id, person_id, address, language, weekday, hour, week_begins, zone, pdf, created_at, created_by, confirmed_at, confirm_until, ended_at, end_cause)
on subscriptions to storeglass_pages;
grant
    select (id, subscription_id, store_id, week, due_at, state, message_id, address, subject, written_at, next_at, tries, failures, claim, claimed_by, claimed_until, sent_at, told)
on deliveries to storeglass_pages;
grant select on delivery_tries to storeglass_pages;
grant select, insert, update, delete on mail_links to storeglass_worker;

-- +goose Down
revoke select on delivery_tries from storeglass_pages;
revoke select (id, subscription_id, store_id, week, due_at, state, message_id, address, subject, written_at, next_at, tries, failures, claim, claimed_by, claimed_until, sent_at, told) on deliveries from storeglass_pages;
revoke select (id, store_id, person_id, address, language, weekday, hour, week_begins, zone, pdf, created_at, created_by, confirmed_at, confirm_until, ended_at, end_cause) on subscriptions from storeglass_pages;
drop policy pages_of_no_store on delivery_tries;
drop policy pages_of_no_store on deliveries;
drop policy pages_of_no_store on subscriptions;
drop function asking_person();
-- +goose StatementBegin
create or replace function enter(kind text, key text, at timestamptz) returns void
language plpgsql security definer as $$
declare
    of_person bigint;
    of_token bigint;
    every boolean := false;
    held bigint[];
begin
    case kind
    when 'session' then
        select p.id, p.role = 'admin'
        into of_person, every
        from sessions s
        join people p on p.id = s.person_id
        where s.token = key and s.expiry > at and p.disabled_at is null;
    when 'token' then
        select a.id
        into of_token
        from api_tokens a
        where a.token_hash = decode(key, 'hex') and a.revoked_at is null;
    when 'share' then
        select array[h.store_id]
        into held
        from shares h
        join stores t on t.id = h.store_id
        join people p on p.id = h.created_by
        where h.token_hash = decode(key, 'hex') and h.revoked_at is null and h.expires_at > at and t.removed_at is null and p.disabled_at is null;
    end case;
    if of_person is not null or of_token is not null then
        select
            coalesce(every, false) or coalesce(bool_or(g.store_id is null and g.group_id is null), false),
            array_agg(distinct t.id) filter (where t.id is not null)
        into every, held
        from grants g
        left join group_stores m on m.group_id = g.group_id
        left join stores t on t.id = coalesce(g.store_id, m.store_id) and t.removed_at is null
        where (of_person is not null and g.person_id = of_person) or (of_token is not null and g.api_token_id = of_token);
    end if;
    perform set_config('storeglass.stores', case when every then '*' else coalesce(held::text, '') end, true);
end
$$;
-- +goose StatementEnd
-- A function that is replaced forgets where it looks for tables.
-- +goose StatementBegin
do $$
begin
    execute format('alter function enter(text, text, timestamptz) set search_path = pg_catalog, %I, pg_temp', current_schema());
end
$$;
-- +goose StatementEnd
alter table deliveries add unsubscribe_hash bytea unique;
-- A delivery had one secret; others that were written anew are lost.
update deliveries d set unsubscribe_hash = (select l.hash from mail_links l where l.delivery_id = d.id limit 1);
drop table mail_links;
drop index deliveries_kept;
update deliveries set body = null where state = 'sent';
alter table deliveries drop written_at, drop subject;
alter table subscriptions drop pdf, drop created_by, drop confirm_hash, drop confirm_until;
