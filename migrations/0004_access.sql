-- Who may see which stores: grants, API tokens and share links, and the functions that
-- work out what each of them holds.

-- +goose Up
create table api_tokens (
    id bigint generated always as identity primary key,
    name text not null,
    token_hash bytea not null unique,
    -- Whoever made it in the pages: it ends when that person is disabled or no longer an
    -- administrator. Null: made by a command.
    owner_id bigint references people on delete cascade,
    -- the owner's name, which outlives them
    made_by text not null default '',
    created_at timestamptz not null default now(),
    expires_at timestamptz not null default now() + interval '1 year',
    revoked_at timestamptz,
    last_used_at timestamptz
);
create unique index api_tokens_name on api_tokens (name) where revoked_at is null;
create index api_tokens_owner on api_tokens (owner_id) where owner_id is not null;

-- A grant lets a person or an API token see one store, the stores of a group, or (neither
-- named) every store.
create table grants (
    id bigint generated always as identity primary key,
    person_id bigint references people on delete cascade,
    api_token_id bigint references api_tokens on delete cascade,
    store_id bigint references stores on delete cascade,
    group_id bigint references groups on delete cascade,
    created_at timestamptz not null default now(),
    check (num_nonnulls(person_id, api_token_id) = 1),
    constraint grants_one_thing check (num_nonnulls(store_id, group_id) <= 1)
);
create unique index grants_person on grants (person_id, store_id, group_id) nulls not distinct where person_id is not null;
create unique index grants_token on grants (api_token_id, store_id, group_id) nulls not distinct where api_token_id is not null;

-- Pages of one store for people without an account.
create table shares (
    id bigint generated always as identity primary key,
    store_id bigint not null references stores on delete cascade,
    token_hash bytea not null unique,
    label text not null,
    -- overview, placements, offers, gift
    pages text[] not null check (cardinality(pages) > 0),
    -- a rolling period by its preset, or a fixed one by its two days
    preset text,
    window_start date,
    window_end date,
    -- argon2id; null: no password
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

-- Finds out what the principal holds, for the rest of the transaction. It trusts no one:
-- a session, token or share link that doesn't exist, or has ended, holds nothing. key is
-- the session as stored, or the hex SHA-256 of the token or of the link's secret; at is
-- the time that sessions, tokens and links are compared with.
-- +goose StatementBegin
create function set_principal(kind text, key text, at timestamptz) returns void
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
        left join people p on p.id = a.owner_id
        where a.token_hash = decode(key, 'hex') and a.revoked_at is null and a.expires_at > at
            and (a.owner_id is null or p.role = 'admin' and p.disabled_at is null);
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

-- A function that runs with the owner's rights must look for tables in our schema only: a
-- temporary table of the same name must not stand in for ours.
do $$
begin
    execute format('alter function set_principal(text, text, timestamptz) set search_path = pg_catalog, %I, pg_temp', current_schema());
end
$$;
-- +goose StatementEnd
revoke execute on function set_principal(text, text, timestamptz) from public;
grant execute on function set_principal(text, text, timestamptz) to storeglass_pages;

-- Whether a person may see a store now.
create function holds(of_person bigint, of_store bigint) returns boolean
language sql stable as $$
    select exists (
        select from people p
        join stores t on t.id = of_store and t.removed_at is null
        where p.id = of_person and p.disabled_at is null and (p.role = 'admin' or exists (
            select from grants g
            left join group_stores m on m.group_id = g.group_id
            where g.person_id = p.id and ((g.store_id is null and g.group_id is null) or coalesce(g.store_id, m.store_id) = of_store)
        ))
    )
$$;

select build_wall('grants');
select build_wall('shares');
-- A grant for a group or for every store names no store. Pages may read it; to give one,
-- the principal must see every store.
create policy pages_of_no_store on grants for select to storeglass_pages using (store_id is null);

grant select, insert, update, delete on
    api_tokens,
    grants,
    shares
to storeglass_pages, storeglass_worker;

-- +goose Down
drop function holds(bigint, bigint);
drop function set_principal(text, text, timestamptz);
drop table shares, grants, api_tokens;
