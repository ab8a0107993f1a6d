-- Stores, the credentials for their services, and how stores are grouped.

-- +goose Up
create table stores (
    id bigint generated always as identity primary key,
    slug text not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$'),
    name text not null check (name <> ''),
    timezone text not null,
    -- the last currency and domain that a service reported
    currency text,
    domain text,
    -- how many past days to load
    history_days integer not null default 90 check (history_days between 1 and 3660),
    paused_at timestamptz,
    -- A removed store is neither shown nor pulled. It can be restored for 30 days, then
    -- its rows are deleted. removed_by is for display, removed_by_person may restore it.
    removed_at timestamptz,
    removed_by text,
    removed_by_person bigint references people on delete set null,
    -- increases with every write to the store's rows; pages use it as their version
    revision bigint not null default 0,
    -- For the list of many stores, written with each pull: the newest good answer of each service;
    -- then, for the history planned on the day of the last daily pull: the last whole day, days stored,
    -- days planned and days still to pull (null before the first pull).
    upsell_pulled_at timestamptz,
    gift_pulled_at timestamptz,
    last_day date,
    days_stored integer,
    days_planned integer,
    days_left integer,
    created_at timestamptz not null default now()
);
create index stores_removed on stores (removed_at) where removed_at is not null;

create table credentials (
    id bigint generated always as identity primary key,
    store_id bigint not null references stores on delete cascade,
    service text not null check (service in ('upsell', 'gift')),
    base_url text not null,
    -- the host of base_url; outages are per host
    host text not null generated always as (coalesce(lower(substring(base_url from '^[a-zA-Z]+://([^/?#]*)')), '')) stored,
    -- encrypted with the key named by key_id, bound to this store and service
    token_sealed bytea not null,
    key_id text not null,
    -- keyed hash of the token: names its budget, which all processes share
    budget bytea not null,
    token_tail text not null default '',
    -- the store that the token belongs to, as the service first named it
    shop_domain text,
    -- increases when the address or token changes: work that began with the old ones must stop
    version integer not null default 1,
    -- when the current token was saved; null: with the credential
    replaced_at timestamptz,
    -- A refusal may be a mistake (services sometimes answer 401 briefly). So a refused credential is
    -- first doubtful, is probed at growing intervals, and is paused, with an alert, only if the refusal
    -- lasts. Neither state pulls.
    state text not null default 'unchecked' check (state in ('unchecked', 'good', 'doubtful', 'paused')),
    -- why it is paused: a code, and a sentence for people; the first cause stays
    paused_cause text,
    -- what the service said at the first refusal, in its own words; for a wrong address, the address
    paused_said text,
    paused_at timestamptz,
    -- when to probe next; null: only on request, since a call could revoke a key
    next_probe_at timestamptz,
    -- probes without a good answer, and the time of the newest
    probes integer not null default 0,
    probed_at timestamptz,
    -- since when the service has refused many stores' tokens; null: it doesn't
    outage_since timestamptz,
    -- the most rows that a ranking may request, once the service has refused or ignored more
    ranking_limit integer check (ranking_limit > 0),
    next_due_at timestamptz default now(),
    created_at timestamptz not null default now(),
    unique (store_id, service)
);
create index credentials_due on credentials (next_due_at) where state in ('unchecked', 'good');
create index credentials_probes on credentials (service, host) where state in ('doubtful', 'paused');

-- A shop that someone has checked but not saved yet. Its tokens are kept here, never in the browser.
create table pending_connections (
    -- SHA-256 of its name in the URL
    id_hash bytea primary key,
    person_id bigint not null references people on delete cascade,
    -- what the services said about themselves; contains no secrets
    found jsonb not null,
    -- addresses and tokens, encrypted with the key named by key_id for this row and person; null once
    -- the store is saved
    sealed bytea,
    key_id text not null,
    expires_at timestamptz not null,
    -- the saved store, so that submitting the form twice leads there
    store_id bigint references stores on delete cascade
);
create index pending_connections_expiry on pending_connections (expires_at);

-- Stores of one client, brand or team.
create table groups (
    id bigint generated always as identity primary key,
    name text not null check (name <> ''),
    created_at timestamptz not null default now()
);
create unique index groups_name on groups (lower(name));

create table group_stores (
    group_id bigint not null references groups on delete cascade,
    store_id bigint not null references stores on delete cascade,
    primary key (group_id, store_id)
);
create index group_stores_store on group_stores (store_id);

create table store_tags (
    store_id bigint not null references stores on delete cascade,
    tag text not null check (tag ~ '^[^[:cntrl:]]{1,40}$'),
    primary key (store_id, tag)
);

-- A fence for pulls (see also assert_claim): a pull may only start with a credential that hasn't
-- changed since the work began and isn't paused. by_schedule also excludes paused stores.
-- +goose StatementBegin
create function assert_in_use(of_credential bigint, of_version integer, by_schedule boolean) returns void
language plpgsql as $$
begin
    perform 1
    from credentials c
    join stores s on s.id = c.store_id
    where c.id = of_credential
      and c.version = of_version
      and c.state in ('unchecked', 'good')
      and s.removed_at is null
      and (s.paused_at is null or not by_schedule);
    if not found then
        raise exception 'credential % is not in use any more as it was', of_credential using errcode = 'SG002';
    end if;
end
$$;
-- +goose StatementEnd

select build_wall('stores', 'id');
select build_wall('credentials');
select build_wall('pending_connections');
select build_wall('group_stores');
select build_wall('store_tags');

-- People who may see one of a group's stores see the group, but only those who see every store may change it.
alter table groups enable row level security, force row level security;
create policy worker on groups to storeglass_worker using (true);
create policy pages on groups to storeglass_pages using ((select sees_all()));
create policy pages_of_own_stores on groups for select to storeglass_pages using (id in (select m.group_id from group_stores m));

grant select, insert, update, delete on
    stores,
    credentials,
    pending_connections,
    groups,
    group_stores,
    store_tags
to storeglass_worker;
grant select, insert, update, delete on
    groups,
    group_stores,
    store_tags
to storeglass_pages;
-- Pages may only pause and resume a store. Every other change goes through the worker's role, which
-- checks the person's rights again.
grant
    select,
    update (paused_at, revision)
on stores to storeglass_pages;
-- Everything about a credential except its secrets, and where they are sent.
grant
    select (
        id,
        store_id,
        service,
        base_url,
        host,
        token_tail,
        shop_domain,
        version,
        replaced_at,
        state,
        paused_cause,
        paused_said,
        paused_at,
        next_probe_at,
        probes,
        probed_at,
        outage_since,
        ranking_limit,
        next_due_at,
        created_at
    ),
    update (
        state,
        paused_cause,
        paused_said,
        paused_at,
        next_probe_at,
        probes,
        outage_since,
        next_due_at
    )
on credentials to storeglass_pages;

-- +goose Down
drop function assert_in_use(bigint, integer, boolean);
drop table store_tags, group_stores, groups, pending_connections, credentials, stores;
