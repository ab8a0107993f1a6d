-- How people prove who they are, how stores are put together for agencies, and
-- what is kept of what people did. A server of the version before goes on: new
-- columns have defaults, and what it reads is still there.

-- +goose Up
alter table people drop constraint people_role_check;
alter table people add constraint people_role_check check (role in ('admin', 'agency', 'merchant', 'viewer'));
-- null: invited, and not signed in yet
alter table people add column joined_at timestamptz;
update people set joined_at = created_at;
-- A passkey names its owner by this and by nothing that says who it is.
alter table people add column handle bytea not null unique default uuid_send(gen_random_uuid());

create table passwords (
    person_id bigint primary key references people on delete cascade,
    -- argon2id in its usual text form, with its own salt and costs
    hash text not null,
    set_at timestamptz not null default now()
);

-- A second factor. Unconfirmed until its first code was right.
create table totps (
    person_id bigint primary key references people on delete cascade,
    -- sealed with the key named by key_id, bound to this person
    secret_sealed bytea not null,
    key_id text not null,
    confirmed_at timestamptz,
    -- the newest step that was taken: a code counts once
    last_step bigint not null default 0,
    created_at timestamptz not null default now()
);

create table recovery_codes (
    code_hash bytea primary key,
    person_id bigint not null references people on delete cascade,
    used_at timestamptz
);
create index recovery_codes_person on recovery_codes (person_id);

create table passkeys (
    id bigint generated always as identity primary key,
    person_id bigint not null references people on delete cascade,
    name text not null,
    credential_id bytea not null unique,
    -- public key, flags and counter, as the library writes them
    credential jsonb not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz
);
create index passkeys_person on passkeys (person_id);

-- Who a person is at an OpenID Connect provider.
create table identities (
    issuer text not null,
    subject text not null,
    person_id bigint not null references people on delete cascade,
    email text not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz,
    primary key (issuer, subject)
);
create index identities_person on identities (person_id);

-- One-time links: to sign in, to accept an invitation, to set a new password.
alter table sign_in_links add column purpose text not null default 'sign-in'
    check (purpose in ('sign-in', 'invitation', 'reset'));
alter table sign_in_links add column created_by bigint references people on delete set null;
alter table sign_in_links add column created_at timestamptz not null default now();

alter table sessions add column id bigint generated always as identity unique;
alter table sessions add column created_at timestamptz not null default now();
alter table sessions add column seen_at timestamptz;
-- A copy of what data says; from where and how they signed in stands there alone.
alter table sessions add column person_id bigint references people on delete cascade;
update sessions s set person_id = p.id
from people p
where p.id = (convert_from(s.data, 'UTF8')::jsonb #>> '{values,person}')::bigint;
create index sessions_person on sessions (person_id);

-- The limits of sign-in attempts, one row for each account, address and all
-- together. An attempt moves free_at on by what it costs; one that would move it
-- further ahead than the limit allows is refused (GCRA).
create table attempts (
    bucket text primary key,
    free_at timestamptz not null
);
create index attempts_free on attempts (free_at);

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

-- A grant is for one store, for the stores of a group, or (neither) for every store.
alter table grants add column group_id bigint references groups on delete cascade;
alter table grants add constraint grants_one_thing check (num_nonnulls(store_id, group_id) <= 1);
drop index grants_person, grants_token;
create unique index grants_person on grants (person_id, store_id, group_id) nulls not distinct where person_id is not null;
create unique index grants_token on grants (api_token_id, store_id, group_id) nulls not distinct where api_token_id is not null;

-- A removed store is shown and pulled no more. It can be brought back until its
-- rows are deleted, 30 days later.
alter table stores add column removed_at timestamptz;
alter table stores add column removed_by text;

-- A page of one store for people without an account.
create table shares (
    id bigint generated always as identity primary key,
    store_id bigint not null references stores on delete cascade,
    token_hash bytea not null unique,
    -- what its maker calls it
    label text not null,
    -- overview, placements, offers, gift
    pages text[] not null check (cardinality(pages) > 0),
    -- a rolling window by its preset, or a fixed one by its two days
    preset text,
    window_start date,
    window_end date,
    -- argon2id; null: whoever has the link
    password_hash text,
    created_by bigint references people on delete set null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    revoked_at timestamptz,
    hits bigint not null default 0,
    last_hit_at timestamptz,
    check ((preset is null) = (window_start is not null) and (window_start is null) = (window_end is null) and window_start <= window_end)
);
create index shares_store on shares (store_id);

-- Who saw or changed what matters. Names are kept as they were: a record
-- outlives what it is about.
create table audit (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    -- person, token, share, command, or nobody (who failed to sign in)
    actor text not null check (actor in ('person', 'token', 'share', 'command', 'nobody')),
    actor_id bigint,
    actor_name text not null default '',
    -- dotted: what it was about, then what was done, e.g. credential.rotated
    action text not null check (action ~ '^[a-z-]+(\.[a-z-]+)+$'),
    store_id bigint,
    store_slug text not null default '',
    -- what else it was about, in words
    subject text not null default '',
    address text not null default '',
    -- of the request, as in the log
    request text not null default ''
);
create index audit_at on audit (at desc, id desc);
create index audit_store on audit (store_id, at desc);

-- A person's saved ways to look at the list of stores: the query of its address.
create table saved_views (
    id bigint generated always as identity primary key,
    person_id bigint not null references people on delete cascade,
    name text not null check (name <> ''),
    query text not null,
    created_at timestamptz not null default now(),
    unique (person_id, name)
);

-- What stands on pages in place of our own name and colour: one row, or none.
create table branding (
    only_one boolean primary key default true check (only_one),
    name text not null default '',
    -- '#rrggbb', as it was chosen: pages make it readable; '' is our own
    accent text not null default '' check (accent ~ '^(#[0-9a-f]{6})?$'),
    -- a raster image that was decoded and written anew by us
    logo bytea,
    logo_type text check (logo_type in ('image/png')),
    revision bigint not null default 1,
    updated_at timestamptz not null default now()
);

-- +goose Down
drop table branding, saved_views, audit, shares, store_tags, attempts, identities, passkeys, recovery_codes, totps, passwords;
alter table stores drop column removed_at, drop column removed_by;
delete from grants where group_id is not null;
drop index grants_person, grants_token;
alter table grants drop column group_id;
create unique index grants_person on grants (person_id, store_id) nulls not distinct where person_id is not null;
create unique index grants_token on grants (api_token_id, store_id) nulls not distinct where api_token_id is not null;
drop table group_stores, groups;
alter table sessions drop column id, drop column created_at, drop column seen_at, drop column person_id;
delete from sign_in_links where purpose <> 'sign-in';
alter table sign_in_links drop column purpose, drop column created_by, drop column created_at;
alter table people drop column handle, drop column joined_at;
update people set role = 'viewer' where role not in ('admin', 'viewer');
alter table people drop constraint people_role_check;
alter table people add constraint people_role_check check (role in ('admin', 'viewer'));
