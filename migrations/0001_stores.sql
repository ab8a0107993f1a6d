-- Stores, the credentials that reach their services, and the people, tokens and
-- grants that may see them. First migration: no server runs before it.

-- +goose Up
create table stores (
    id bigint generated always as identity primary key,
    slug text not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$'),
    name text not null check (name <> ''),
    timezone text not null,
    -- the last currency and domain that a service reported
    currency text,
    domain text,
    -- how many past days are wanted
    history_days integer not null default 90 check (history_days between 1 and 3660),
    paused_at timestamptz,
    -- grows with every write to the store's rows: pages use it as their version
    revision bigint not null default 0,
    created_at timestamptz not null default now()
);

create table credentials (
    id bigint generated always as identity primary key,
    store_id bigint not null references stores on delete cascade,
    service text not null check (service in ('upsell', 'gift')),
    base_url text not null,
    -- sealed with the key named by key_id, bound to this store and service
    token_sealed bytea not null,
    key_id text not null,
    -- keyed hash of the token: the name of its budget, shared by every process
    budget bytea not null,
    token_tail text not null default '',
    -- the store the token belongs to, as the service first named it
    shop_domain text,
    state text not null default 'unchecked' check (state in ('unchecked', 'good', 'paused')),
    -- why it is paused: a word for code and a sentence for people; the first cause stays
    paused_cause text,
    paused_text text,
    paused_at timestamptz,
    next_due_at timestamptz default now(),
    created_at timestamptz not null default now(),
    unique (store_id, service)
);
create index credentials_due on credentials (next_due_at) where state <> 'paused';

create table people (
    id bigint generated always as identity primary key,
    email text not null,
    name text not null,
    role text not null default 'viewer' check (role in ('admin', 'viewer')),
    disabled_at timestamptz,
    created_at timestamptz not null default now()
);
create unique index people_email on people (lower(email));

create table api_tokens (
    id bigint generated always as identity primary key,
    name text not null,
    token_hash bytea not null unique,
    created_at timestamptz not null default now(),
    revoked_at timestamptz,
    last_used_at timestamptz
);
create unique index api_tokens_name on api_tokens (name) where revoked_at is null;

-- A grant lets a person or an API token see one store, or every store (store_id null).
create table grants (
    id bigint generated always as identity primary key,
    person_id bigint references people on delete cascade,
    api_token_id bigint references api_tokens on delete cascade,
    store_id bigint references stores on delete cascade,
    created_at timestamptz not null default now(),
    check (num_nonnulls(person_id, api_token_id) = 1)
);
create unique index grants_person on grants (person_id, store_id) nulls not distinct where person_id is not null;
create unique index grants_token on grants (api_token_id, store_id) nulls not distinct where api_token_id is not null;

-- One-time sign-in links; only the hash of the link's secret is kept.
create table sign_in_links (
    token_hash bytea primary key,
    person_id bigint not null references people on delete cascade,
    expires_at timestamptz not null,
    used_at timestamptz
);

create table sessions (
    token text primary key,
    data bytea not null,
    expiry timestamptz not null
);
create index sessions_expiry on sessions (expiry);

-- +goose Down
drop table sessions, sign_in_links, grants, api_tokens, people, credentials, stores;
