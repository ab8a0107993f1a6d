-- People, how they sign in, and their sessions.

-- +goose Up
create table people (
    id bigint generated always as identity primary key,
    email text not null,
    name text not null,
    role text not null default 'viewer' check (role in ('admin', 'agency', 'merchant', 'viewer')),
    -- identifies the owner of a passkey without saying who that is
    handle bytea not null unique default uuid_send(gen_random_uuid()),
    -- for pages, account mails and alerts; null: what their browser asks for
    language text check (language in ('en', 'de', 'fr', 'es')),
    -- null: invited, never signed in
    joined_at timestamptz,
    disabled_at timestamptz,
    -- why the last mail about their account didn't leave; empty: it left, or there was none
    mail_problem jsonb not null default '""',
    -- the Message-ID of that mail, by which a bounce report names it
    mail_id text,
    created_at timestamptz not null default now()
);
create unique index people_email on people (lower(email));

create table passwords (
    person_id bigint primary key references people on delete cascade,
    -- argon2id in its usual text form, with its own salt and costs
    hash text not null,
    set_at timestamptz not null default now()
);

-- A second factor, unconfirmed until its first correct code.
create table totps (
    person_id bigint primary key references people on delete cascade,
    -- encrypted with the key named by key_id, bound to this person
    secret_sealed bytea not null,
    key_id text not null,
    confirmed_at timestamptz,
    -- the newest time step that was accepted: a code works only once
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
    -- public key, flags and counter, as the library serializes them
    credential jsonb not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz
);
create index passkeys_person on passkeys (person_id);

-- A person's identity at an OpenID Connect provider.
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

-- One-time links. Only the hash of a link's secret is stored.
create table sign_in_links (
    token_hash bytea primary key,
    person_id bigint not null references people on delete cascade,
    purpose text not null default 'sign-in' check (purpose in ('sign-in', 'invitation', 'reset')),
    created_by bigint references people on delete set null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz
);

create table sessions (
    id bigint generated always as identity unique,
    token text primary key,
    data bytea not null,
    -- copied from data, so that one person's sessions can be found
    person_id bigint references people on delete cascade,
    created_at timestamptz not null default now(),
    seen_at timestamptz,
    expiry timestamptz not null
);
create index sessions_expiry on sessions (expiry);
create index sessions_person on sessions (person_id);

-- Limits on sign-in attempts (GCRA): one row for each account, each address and everything together. An
-- attempt moves free_at forward by its cost; it's refused if that would move it further ahead than the
-- limit allows.
create table attempts (
    bucket text primary key,
    free_at timestamptz not null
);
create index attempts_free on attempts (free_at);

-- A person's saved views of the list of stores.
create table saved_views (
    id bigint generated always as identity primary key,
    person_id bigint not null references people on delete cascade,
    name text not null check (name <> ''),
    -- the query in the view's URL
    query text not null,
    -- the list opens with this view
    opens boolean not null default false,
    created_at timestamptz not null default now(),
    unique (person_id, name)
);
create unique index saved_views_opens on saved_views (person_id) where opens;

grant select, insert, update, delete on
    people,
    passwords,
    totps,
    recovery_codes,
    passkeys,
    identities,
    sign_in_links,
    sessions,
    saved_views
to storeglass_pages, storeglass_worker;
grant select, insert, update on attempts to storeglass_pages, storeglass_worker;
grant delete on attempts to storeglass_worker;

-- +goose Down
drop table saved_views, attempts, sessions, sign_in_links, identities, passkeys, recovery_codes, totps, passwords, people;
