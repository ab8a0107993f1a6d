-- The weekly mail: who wants which, what is owed to them, and what came of it. A
-- running server of the version before notices nothing.

-- +goose Up
create table subscriptions (
    id bigint generated always as identity primary key,
    -- null: the mail about all stores that the person holds
    store_id bigint references stores on delete cascade,
    -- null: somebody without an account, at address
    person_id bigint references people on delete cascade,
    address text check (address = lower(address)),
    language text not null default 'en',
    -- the hour of the week that it is wanted in; 1 is Monday
    weekday integer not null default 1 check (weekday between 1 and 7),
    hour integer not null default 8 check (hour between 0 and 23),
    -- the weekday that weeks begin on
    week_begins integer not null default 1 check (week_begins between 1 and 7),
    -- null: the store's own clock, whichever that is then
    zone text,
    created_at timestamptz not null default now(),
    -- null: asked, and nobody at the address has said yes
    confirmed_at timestamptz,
    ended_at timestamptz,
    end_cause text check (end_cause in ('reader', 'removed')),
    check (num_nonnulls(person_id, address) = 1),
    check (store_id is not null or (person_id is not null and zone is not null)),
    check ((ended_at is null) = (end_cause is null))
);
create unique index subscriptions_person on subscriptions (person_id, store_id) nulls not distinct where person_id is not null and ended_at is null;
create unique index subscriptions_address on subscriptions (address, store_id) where address is not null and ended_at is null;
create index subscriptions_store on subscriptions (store_id);

-- One row for each mail that is owed. Rows decide, not the schedule: a tick that is
-- missed or doubled makes none more and none less.
create table deliveries (
    id bigint generated always as identity primary key,
    subscription_id bigint not null references subscriptions on delete cascade,
    -- the subscription's
    store_id bigint references stores on delete cascade,
    -- the first day of the week that it is about
    week date not null,
    due_at timestamptz not null,
    -- waiting: not written yet; ready: written, and not sent; the others are ends
    state text not null default 'waiting' check (state in ('waiting', 'ready', 'sent', 'refused', 'given up', 'suppressed', 'ended')),
    -- fixed with the row, so that a repeat is known for one
    message_id text not null,
    -- the mail from when it is written until it has come to an end, and to whom
    body bytea,
    address text,
    -- SHA-256 of the secret in its link that ends the subscription
    unsubscribe_hash bytea unique,
    -- when it may be tried (again)
    next_at timestamptz not null,
    -- all tries, and those that count against the limit
    tries integer not null default 0,
    failures integer not null default 0,
    -- who is at it; claim grows with each, so that one that was given up on is known
    claim integer not null default 0,
    claimed_by integer,
    claimed_until timestamptz,
    sent_at timestamptz,
    -- what the server or we ourselves said last, for people
    told text not null default '',
    unique (subscription_id, week),
    check (state <> 'ready' or (body is not null and address is not null)),
    check ((state = 'sent') = (sent_at is not null)),
    check ((claimed_by is null) = (claimed_until is null))
);
create index deliveries_next on deliveries (next_at, id) where state in ('waiting', 'ready');
create index deliveries_store on deliveries (store_id);
create index deliveries_claimed on deliveries (claimed_by) where claimed_by is not null;

-- Each time that a mail was handed to the server. One without an end was cut off: it
-- may have arrived.
create table delivery_tries (
    delivery_id bigint not null references deliveries on delete cascade,
    n integer not null,
    -- the subscription's
    store_id bigint references stores on delete cascade,
    began_at timestamptz not null,
    ended_at timestamptz,
    outcome text check (outcome in ('sent', 'refused', 'later', 'connection')),
    told text not null default '',
    primary key (delivery_id, n),
    check ((ended_at is null) = (outcome is null))
);

create index delivery_tries_store on delivery_tries (store_id);

-- Addresses that mail servers refused for good: nothing is sent there any more.
create table suppressions (
    address text primary key check (address = lower(address)),
    cause text not null,
    created_at timestamptz not null default now()
);

-- Pages are given what they need with the step that brings them.
select build_wall('subscriptions');
select build_wall('deliveries');
select build_wall('delivery_tries');
grant select, insert, update, delete on subscriptions, deliveries, delivery_tries, suppressions to storeglass_worker;

-- +goose Down
drop table delivery_tries, deliveries, subscriptions, suppressions;
