-- A share link holds nothing while who made it is disabled, nor when they are gone.
-- The program says so already; now the database does too. A running server notices
-- nothing.

-- +goose Up
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
-- A function that is replaced forgets where it looks for tables.
-- +goose StatementBegin
do $$
begin
    execute format('alter function enter(text, text, timestamptz) set search_path = pg_catalog, %I, pg_temp', current_schema());
end
$$;
-- +goose StatementEnd
