-- Who may see which stores: grants, API tokens and share links, and the function that works out which
-- stores each of them includes.

-- +goose Up
create table api_tokens (
    id bigint generated always as identity primary key,
    name text not null,
    token_hash bytea not null unique,
    -- The person who made it in the web app: it ends when they are disabled or no longer an
    -- administrator. Null: made by a command.
    owner_id bigint references people on delete cascade,
    -- the owner's name, kept after they are deleted
    made_by text not null default '',
    created_at timestamptz not null default now(),
    expires_at timestamptz not null default now() + interval '1 year',
    revoked_at timestamptz,
    last_used_at timestamptz
);
create unique index api_tokens_name on api_tokens (name) where revoked_at is null;
create index api_tokens_owner on api_tokens (owner_id) where owner_id is not null;

-- A grant lets a person or an API token see one store, a group's stores, or (if neither is named) every store.
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
    -- a rolling period's preset, or a fixed period's two days
    preset text,
    window_start date,
    window_end date,
    -- compared with the period before; otherwise the link shows only its own days
    compares boolean not null default false,
    -- the maker's message to readers, above the numbers; empty: none
    message text not null default '' check (length(message) <= 1000),
    -- also shows what offers and campaigns will do in the month after its days
    plans boolean not null default false,
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

-- Which stores a person, an API token or a share link may see: every store, or those in store_ids. This
-- is the only place that works it out: pages, mails, alerts and the walls all ask here. No row: the
-- person is disabled, the token or link is revoked, or it ended with its owner. Two things are left to
-- the caller: whether a token or link has expired, and removed stores, which are in store_ids because
-- they can be restored. A store granted in two ways is listed twice: removing duplicates costs more
-- than it saves.
create function stores_held(of_person bigint, of_token bigint, of_share bigint)
returns table (every_store boolean, store_ids bigint[])
language sql stable parallel safe as $$
    select h.admin or g.every_store, g.store_ids
    from (
        select
            p.id as person_id,
            null::bigint as token_id,
            null::bigint as store_id,
            p.role = 'admin' as admin
        from people p
        where p.id = of_person and p.disabled_at is null
        union all
        select
            null,
            a.id,
            null,
            false
        from api_tokens a
        left join people o on o.id = a.owner_id
        where a.id = of_token and a.revoked_at is null
            and (a.owner_id is null or o.role = 'admin' and o.disabled_at is null)
        union all
        select
            null,
            null,
            s.store_id,
            false
        from shares s
        join people o on o.id = s.created_by
        where s.id = of_share and s.revoked_at is null and o.disabled_at is null
    ) h
    cross join lateral (
        select
            coalesce(bool_or(g.store_id is null and g.group_id is null), false) as every_store,
            array_remove(array_append(array_agg(coalesce(g.store_id, m.store_id)), h.store_id), null) as store_ids
        from grants g
        left join group_stores m on m.group_id = g.group_id
        where g.person_id = h.person_id or g.api_token_id = h.token_id
    ) g
$$;

-- Sets the principal for the rest of the transaction and looks up what it may see. It trusts nobody: a
-- session, token or share link that doesn't exist, or has ended, may see nothing. key is the session as
-- stored, or the hex SHA-256 of the token or of the link's secret; at is the current time for their
-- expiry.
-- +goose StatementBegin
create function set_principal(kind text, key text, at timestamptz) returns void
language plpgsql security definer as $$
declare
    of_person bigint;
    every boolean;
    held bigint[];
begin
    case kind
    when 'session' then
        select s.person_id, h.* into of_person, every, held
        from sessions s
        cross join stores_held(s.person_id, null, null) h
        where s.token = key and s.expiry > at;
    when 'token' then
        select h.* into every, held
        from api_tokens a
        cross join stores_held(null, a.id, null) h
        where a.token_hash = decode(key, 'hex') and a.expires_at > at;
    when 'share' then
        select h.* into every, held
        from shares s
        cross join stores_held(null, null, s.id) h
        where s.token_hash = decode(key, 'hex') and s.expires_at > at;
    end case;
    -- Few stores are removed: leaving those out is quicker than looking up all that are held.
    held := array(
        select i.id
        from unnest(held) as i (id)
        where i.id not in (select t.id from stores t where t.removed_at is not null)
    );
    perform set_config('storeglass.person', coalesce(of_person::text, ''), true);
    perform set_config('storeglass.stores', case when every then '*' else held::text end, true);
end
$$;

-- A function that runs with the owner's rights must only find tables in our schema: a temporary table
-- with the same name must not replace ours. It also must not be re-planned for every page, which would
-- take longer than running it.
do $$
begin
    execute format('alter function set_principal(text, text, timestamptz) set search_path = pg_catalog, %I, pg_temp', current_schema());
    alter function set_principal(text, text, timestamptz) set plan_cache_mode = force_generic_plan;
end
$$;
-- +goose StatementEnd
revoke execute on function set_principal(text, text, timestamptz) from public;
grant execute on function set_principal(text, text, timestamptz) to storeglass_pages;

select build_wall('grants');
select build_wall('shares');
-- A grant for a group or for every store names no store. Pages may read it; to give one, the principal
-- must see every store.
create policy pages_of_no_store on grants for select to storeglass_pages using (store_id is null);

grant select, insert, update, delete on
    api_tokens,
    grants,
    shares
to storeglass_pages, storeglass_worker;

-- +goose Down
drop function set_principal(text, text, timestamptz);
drop function stores_held(bigint, bigint, bigint);
drop table shares, grants, api_tokens;
