-- The second wall between stores. The first is the program's: a query over a
-- store's rows takes a scope, which only grants give. Behind it now stand two roles
-- that own nothing: the web server's, which sees the rows of the stores that its
-- asker holds and no other row, and that of worker and command line, which stand
-- above grants. What a role may do with a table is decided here, table by table,
-- and a test holds later steps to it.
--
-- A server of the version before connects as the owner, and notices nothing.
--
-- For later steps: a table with a store_id is walled in by `select build_wall(…)`;
-- every table needs a grant to storeglass_worker, and to storeglass_pages what its
-- statements need; the test of the catalogue names what is missing.

-- +goose Up

-- Roles are the cluster's, not the database's: another database may have them
-- already, or be making them at this moment.
-- +goose StatementBegin
do $$
declare
    wanted text;
    modern boolean := current_setting('server_version_num')::integer >= 160000;
    joined boolean;
begin
    foreach wanted in array array['storeglass_pages', 'storeglass_worker'] loop
        for attempt in 1 .. 5 loop
            begin
                if not exists (select from pg_roles where rolname = wanted) then
                    execute format('create role %I nologin', wanted);
                end if;
                -- The owner must be able to become the role, and passes the wall as a member of it.
                joined := pg_has_role(current_user, wanted, 'usage');
                if joined and modern then
                    execute 'select pg_has_role(current_user, $1, ''set'')' into joined using wanted;
                end if;
                if not joined then
                    execute format('grant %I to current_user', wanted);
                end if;
                exit;
            exception
                when duplicate_object or unique_violation or internal_error then -- another database was quicker
                    if attempt = 5 then
                        raise;
                    end if;
                when insufficient_privilege then
                    raise exception '% may not make the roles that keep stores apart; an administrator of the server has to run: create role storeglass_pages nologin; create role storeglass_worker nologin; grant storeglass_pages, storeglass_worker to %; (leave out the roles that are there), then migrate again',
                        current_user, quote_ident(current_user) using errcode = 'insufficient_privilege';
            end;
        end loop;
    end loop;
end
$$;
-- +goose StatementEnd

-- What the asker of this transaction holds: '*', or ids as an array, or nothing.
-- Policies ask within a subselect, so that it is worked out once a statement and
-- not once a row.
create function sees_all() returns boolean
language sql stable parallel safe as $$
    select current_setting('storeglass.stores', true) = '*'
$$;

create function seen_stores() returns setof bigint
language sql stable parallel safe rows 10 as $$
    select unnest(nullif(nullif(current_setting('storeglass.stores', true), '*'), '')::bigint[])
$$;

-- enter finds out what an asker holds, for the rest of the transaction. It believes
-- nobody: a session, token or share that is not there, or not any more, holds
-- nothing. key is the session as it is stored, or the hex of the SHA-256 of the
-- token or of the share link's secret; at is the moment by which sessions and
-- shares end.
-- +goose StatementBegin
create function enter(kind text, key text, at timestamptz) returns void
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
        where h.token_hash = decode(key, 'hex') and h.revoked_at is null and h.expires_at > at and t.removed_at is null;
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

-- build_wall lets the worker see every row of a table, and the pages those of the
-- stores that their asker holds; of says which column names the store.
-- +goose StatementBegin
create function build_wall(of_table regclass, of name default 'store_id') returns void
language plpgsql as $$
begin
    execute format('alter table %s enable row level security, force row level security', of_table);
    execute format('create policy worker on %s to storeglass_worker using (true)', of_table);
    execute format('create policy pages on %s to storeglass_pages using ((select sees_all()) or %I in (select s.id from seen_stores() as s (id)))', of_table, of);
end
$$;
-- +goose StatementEnd

-- Functions of the owner's look for tables in our schema and nowhere else: a
-- temporary table of that name must not stand in for ours.
-- +goose StatementBegin
do $$
begin
    execute format('alter function enter(text, text, timestamptz) set search_path = pg_catalog, %I, pg_temp', current_schema());
    execute format('grant usage on schema %I to storeglass_pages, storeglass_worker', current_schema());
end
$$;
-- +goose StatementEnd
revoke execute on function enter(text, text, timestamptz), build_wall(regclass, name) from public;
grant execute on function enter(text, text, timestamptz) to storeglass_pages;

select build_wall('stores', 'id');
select build_wall(c.oid::regclass)
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attname = 'store_id' and not a.attisdropped
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
order by c.relname;

-- A grant for every store, or for a group, names no store: that there is one may be
-- known, to give one takes an asker who sees everything.
create policy pages_of_no_store on grants for select to storeglass_pages using (store_id is null);

-- What was done is written down whoever did it, also where it is about no store.
-- Those records are read only by who sees everything.
create policy pages_of_no_store on audit for insert to storeglass_pages with check (store_id is null);

-- A group is known to those who hold one of its stores.
alter table groups enable row level security, force row level security;
create policy worker on groups to storeglass_worker using (true);
create policy pages on groups to storeglass_pages using ((select sees_all()));
create policy pages_of_own_stores on groups for select to storeglass_pages using (id in (select m.group_id from group_stores m));

-- The slots of a store's budgets, without the budgets' names. It looks with the
-- owner's eyes, so it has the wall within.
create view store_slots with (security_barrier) as
select c.store_id, c.service, b.n, b.lane, b.held_until
from credentials c
join budget_slots b using (budget)
where current_user <> 'storeglass_pages' or (select sees_all()) or c.store_id in (select s.id from seen_stores() as s (id));

-- The worker and the command line write everything; what was done stays done.
grant select, insert, update, delete on
    stores, credentials, people, api_tokens, grants, sign_in_links, sessions,
    ledger, replies, budget_slots, offer_walks, offer_slices, priority_walks, processes,
    summaries, placement_stats, top_lists, top_offers, coverage, lifetimes, offer_counts, offers, revisions, window_checks,
    offer_events, offer_setups, offer_stages, offer_recommendations,
    gift_windows, gift_health, gift_plans, gift_plan_days, gift_campaigns, gift_campaign_lists, gift_campaign_configs,
    gift_widgets, gift_widget_settings, gift_translations, gift_settings, gift_window_checks,
    passwords, totps, recovery_codes, passkeys, identities, attempts,
    groups, group_stores, store_tags, shares, saved_views, branding
to storeglass_worker;
grant select, insert on audit to storeglass_worker;
grant select on goose_db_version, store_slots to storeglass_worker;

-- Pages read numbers and never write one.
grant select on
    replies, offer_walks,
    summaries, placement_stats, top_lists, top_offers, coverage, lifetimes, offer_counts, offers, revisions, window_checks,
    offer_events, offer_setups, offer_stages, offer_recommendations,
    gift_windows, gift_health, gift_plans, gift_plan_days, gift_campaigns, gift_campaign_lists, gift_campaign_configs,
    gift_widgets, gift_widget_settings, gift_translations, gift_settings, gift_window_checks,
    store_slots, goose_db_version
to storeglass_pages;
-- A store is looked after, paused, resumed and pulled again from its pages.
grant select, update (name, timezone, history_days, paused_at, removed_at, removed_by, revision) on stores to storeglass_pages;
grant select, update (due_at, attempts) on ledger to storeglass_pages;
grant update (doubted) on gift_plans to storeglass_pages;
-- Everything of a credential but what is secret, and where it is sent.
grant
    select (id, store_id, service, base_url, token_tail, shop_domain, state, paused_cause, paused_text, paused_at, next_due_at, created_at),
    update (state, paused_cause, paused_text, paused_at, next_due_at)
on credentials to storeglass_pages;
-- People, what they sign in with, and what they may see.
grant select, insert, update, delete on
    people, passwords, totps, recovery_codes, passkeys, identities, sign_in_links, sessions, attempts,
    api_tokens, grants, groups, group_stores, store_tags, shares, saved_views, branding
to storeglass_pages;
grant select, insert on audit to storeglass_pages;

-- +goose Down
-- The roles stay: they are the cluster's, and another database may use them.
drop view store_slots;
-- +goose StatementBegin
do $$
declare
    p record;
begin
    for p in
        select o.polname, c.oid::regclass as of_table
        from pg_policy o
        join pg_class c on c.oid = o.polrelid
        where c.relnamespace = current_schema()::regnamespace
    loop
        execute format('drop policy %I on %s', p.polname, p.of_table);
        execute format('alter table %s no force row level security, disable row level security', p.of_table);
    end loop;
    execute format('revoke all on all tables in schema %I from storeglass_pages, storeglass_worker', current_schema());
    execute format('revoke all on all sequences in schema %I from storeglass_pages, storeglass_worker', current_schema());
    execute format('revoke all on schema %I from storeglass_pages, storeglass_worker', current_schema());
end
$$;
-- +goose StatementEnd
drop function build_wall(regclass, name);
drop function enter(text, text, timestamptz);
drop function seen_stores();
drop function sees_all();
