-- API tokens have an owner and a last day: they end with whoever made them in the pages,
-- when that person is disabled or no longer an administrator, and after a year at most
-- unless somebody chose another day. Tokens that are there already have no owner, and a
-- year from now. A running server of the version before notices nothing.

-- +goose Up
alter table api_tokens
    -- null: made by a command, or before tokens had owners
    add column owner_id bigint references people on delete cascade,
    add column expires_at timestamptz not null default now() + interval '1 year';
create index api_tokens_owner on api_tokens (owner_id) where owner_id is not null;
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
-- +goose StatementEnd
-- A function that is replaced forgets where it looks for tables.
-- +goose StatementBegin
do $$
begin
    execute format('alter function enter(text, text, timestamptz) set search_path = pg_catalog, %I, pg_temp', current_schema());
end
$$;
-- +goose StatementEnd

-- +goose Down
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
drop index api_tokens_owner;
alter table api_tokens drop column owner_id, drop column expires_at;
