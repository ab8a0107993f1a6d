-- The weekly mail: who wants which, which are due, and how sending went.

-- +goose Up
create table subscriptions (
    id bigint generated always as identity primary key,
    -- null: one mail about all stores that the person may see
    store_id bigint references stores on delete cascade,
    -- null: a reader without an account, at address
    person_id bigint references people on delete cascade,
    address text check (address = lower(address)),
    language text not null default 'en',
    -- the hour of the week to send it; 1 is Monday
    weekday integer not null default 1 check (weekday between 1 and 7),
    hour integer not null default 8 check (hour between 0 and 23),
    -- the weekday that weeks begin on
    week_begins integer not null default 1 check (week_begins between 1 and 7),
    -- null: the store's time zone, whatever it is when the mail is sent
    zone text,
    pdf boolean not null default false,
    created_at timestamptz not null default now(),
    -- who added an address that has no account
    created_by bigint references people on delete set null,
    -- SHA-256 of the secret in the invitation mail, and until when it can be accepted
    confirm_hash bytea unique,
    confirm_until timestamptz,
    -- null: the reader at the address hasn't agreed yet
    confirmed_at timestamptz,
    ended_at timestamptz,
    end_cause text check (end_cause in ('reader', 'removed')),
    check (num_nonnulls(person_id, address) = 1),
    check (store_id is not null or (person_id is not null and zone is not null)),
    check ((ended_at is null) = (end_cause is null)),
    check ((confirm_hash is null) = (confirm_until is null))
);
create unique index subscriptions_person on subscriptions (person_id, store_id) nulls not distinct where person_id is not null and ended_at is null;
create unique index subscriptions_address on subscriptions (address, store_id) where address is not null and ended_at is null;
create index subscriptions_store on subscriptions (store_id);

-- One row for each due mail. Rows decide what is sent, not the schedule: a tick that is missed or runs
-- twice changes nothing.
create table deliveries (
    id bigint generated always as identity primary key,
    subscription_id bigint not null references subscriptions on delete cascade,
    -- the subscription's
    store_id bigint references stores on delete cascade,
    -- the first day of the week that it covers
    week date not null,
    due_at timestamptz not null,
    -- waiting: not written yet; ready: written and not sent; the others are final
    state text not null default 'waiting' check (state in ('waiting', 'ready', 'sent', 'refused', 'given up', 'suppressed', 'ended', 'folded')),
    -- After weeks without a mail server, only the newest mail is sent, with links to the earlier ones:
    -- this is that mail. Final once it is sent.
    folded_into bigint references deliveries on delete cascade,
    -- someone asked to send it again: it's sent by itself
    resent boolean not null default false,
    -- fixed with the row, so that mail clients recognize a repeat
    message_id text not null,
    -- the written mail and its address. The body is kept for its web view and deleted after 60 days.
    subject text not null default '',
    body bytea,
    address text,
    written_at timestamptz,
    -- The stores that the written mail shows, so that no later attempt and no link shows a store that
    -- its reader can no longer see. Null: not written yet.
    stores bigint[],
    -- when to try (again)
    next_at timestamptz not null,
    -- all attempts, and those that count toward the limit
    tries integer not null default 0,
    failures integer not null default 0,
    -- fence: increases with each claim, so that a stale one is recognized
    claim integer not null default 0,
    -- the mail is with a server that hasn't answered yet: nobody else may touch it until then
    held_until timestamptz,
    sent_at timestamptz,
    -- what the server, or we, said last: a message, which the catalogs word
    reason jsonb not null default '""',
    unique (subscription_id, week),
    check (state <> 'ready' or (body is not null and address is not null)),
    check ((state = 'sent') = (sent_at is not null)),
    check (state <> 'folded' or folded_into is not null)
);
create index deliveries_next on deliveries (next_at, id) where state in ('waiting', 'ready') and (folded_into is null or resent);
create index deliveries_store on deliveries (store_id);
create index deliveries_folded on deliveries (folded_into) where folded_into is not null;
create index deliveries_kept on deliveries (written_at) where body is not null;

-- Each time that a mail was handed to the server. An attempt without an end was cut off: the mail may
-- have arrived.
create table delivery_tries (
    delivery_id bigint not null references deliveries on delete cascade,
    n integer not null,
    -- the subscription's
    store_id bigint references stores on delete cascade,
    began_at timestamptz not null,
    ended_at timestamptz,
    outcome text check (outcome in ('sent', 'refused', 'later', 'connection')),
    reason jsonb not null default '""',
    primary key (delivery_id, n),
    check ((ended_at is null) = (outcome is null))
);
create index delivery_tries_store on delivery_tries (store_id);

-- The secret in a mail, which opens its web view and ends its subscription. Only its hash is stored. A
-- mail that is sent again gets another secret; the earlier one keeps working.
create table mail_links (
    -- SHA-256 of 256 random bits
    hash bytea primary key,
    subscription_id bigint references subscriptions on delete cascade,
    -- for an alert mail: its recipient
    person_id bigint references people on delete cascade,
    delivery_id bigint references deliveries on delete cascade,
    -- the subscription's
    store_id bigint references stores on delete cascade,
    check (num_nonnulls(subscription_id, person_id) = 1)
);
create index mail_links_subscription on mail_links (subscription_id);
create index mail_links_person on mail_links (person_id) where person_id is not null;
create index mail_links_delivery on mail_links (delivery_id);
create index mail_links_store on mail_links (store_id);

-- Addresses that mail servers refused permanently: nothing is sent to them anymore.
create table suppressions (
    address text primary key check (address = lower(address)),
    cause jsonb not null,
    created_at timestamptz not null default now()
);

-- Whether a subscription's reader may still see all of those stores. A reader without an account was
-- given one store, until someone revokes it.
create function reader_holds(of_subscription bigint, of_stores bigint[]) returns boolean
language sql stable as $$
    select of_stores is not null and exists (
        select from subscriptions s
        left join lateral stores_held(s.person_id, null, null) h on true
        where s.id = of_subscription and s.end_cause is distinct from 'removed'
            and (s.person_id is null or h.store_ids is not null)
            and not exists (
                select from unnest(of_stores) as o (id)
                where not exists (
                    select from stores t
                    where t.id = o.id and t.removed_at is null
                        and (s.person_id is null or h.every_store or t.id = any(h.store_ids))
                )
            )
    )
$$;

-- Whether there are upsell numbers for a mail's week, in any store that it covers.
create function week_has_numbers(of_subscription bigint, of_week date) returns boolean
language sql stable as $$
    select exists (
        select from subscriptions s
        left join lateral stores_held(s.person_id, null, null) h on s.store_id is null
        join stores t
            on t.id = s.store_id
            or (s.store_id is null and t.removed_at is null and (h.every_store or t.id = any(h.store_ids)))
        where s.id = of_subscription and exists (
            select from summaries m
            where m.store_id = t.id and m.window_start between of_week and of_week + 6 and m.window_end between m.window_start and of_week + 6
        )
    )
$$;

select build_wall('subscriptions');
select build_wall('deliveries');
select build_wall('delivery_tries');
select build_wall('mail_links');
-- A subscription to all stores names none: its person sees it, and so does anyone who sees every store.
create policy pages_of_no_store on subscriptions for select to storeglass_pages
    using (store_id is null and person_id = (select asking_person()));
create policy pages_of_no_store on deliveries for select to storeglass_pages
    using (store_id is null and subscription_id in (select s.id from subscriptions s where s.person_id = (select asking_person())));
create policy pages_of_no_store on delivery_tries for select to storeglass_pages
    using (store_id is null and delivery_id in (select d.id from deliveries d where d.store_id is null));

grant select, insert, update, delete on
    subscriptions,
    deliveries,
    delivery_tries,
    mail_links,
    suppressions
to storeglass_worker;
-- Pages read everything except secrets and the text of mails. Every change goes through the worker's
-- role, which checks the person's rights again.
grant select (
    id,
    store_id,
    person_id,
    address,
    language,
    weekday,
    hour,
    week_begins,
    zone,
    pdf,
    created_at,
    created_by,
    confirm_until,
    confirmed_at,
    ended_at,
    end_cause
) on subscriptions to storeglass_pages;
grant select (
    id,
    subscription_id,
    store_id,
    week,
    due_at,
    state,
    folded_into,
    resent,
    message_id,
    subject,
    address,
    written_at,
    stores,
    next_at,
    tries,
    failures,
    claim,
    held_until,
    sent_at,
    reason
) on deliveries to storeglass_pages;
grant select on delivery_tries to storeglass_pages;

-- +goose Down
drop function week_has_numbers(bigint, date);
drop function reader_holds(bigint, bigint[]);
drop table suppressions, mail_links, delivery_tries, deliveries, subscriptions;
