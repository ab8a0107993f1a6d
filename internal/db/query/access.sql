-- name: VisitBySession :one
-- Everything a page must know before it starts, in one round trip: the session, its person unless
-- disabled, what the grants allow right now, the names for the store switcher, the store in the URL if
-- the grants include it, and how many open alerts of that store, or of all, aren't snoozed for this
-- person.
select
    s.data,
    s.id as session_id,
    coalesce(s.seen_at, s.created_at)::timestamptz as seen_at,
    coalesce((select b.revision from branding b), 0)::bigint as branding_revision,
    coalesce(p.id, 0)::bigint as person_id,
    coalesce(p.email, '')::text as email,
    coalesce(p.name, '')::text as name,
    coalesce(p.role, '')::text as role,
    coalesce(p.language, '')::text as language,
    coalesce(g.every_store, false)::boolean as every_store,
    coalesce(g.store_ids, '{}')::bigint[] as store_ids,
    coalesce(n.slugs, '{}')::text[] as slugs,
    coalesce(n.names, '{}')::text[] as names,
    coalesce(n.currencies, '{}')::text[] as currencies,
    w.id as store_id,
    w.slug as store_slug,
    w.name as store_name,
    w.timezone as store_timezone,
    w.history_days as store_history_days,
    w.currency as store_currency,
    w.domain as store_domain,
    w.paused_at as store_paused_at,
    w.revision as store_revision,
    d.day::date as first_day,
    o.alerts,
    -- changes whenever another of them is open
    o.alerts_mark
from sessions s
left join people p
    on p.id = s.person_id
    and p.disabled_at is null
left join lateral stores_held(p.id, null, null) g on true
left join lateral (
    select
        array_agg(t.slug) as slugs,
        array_agg(t.name) as names,
        array_agg(coalesce(t.currency, '')) as currencies
    from (
        select id, slug, name, currency
        from stores
        where (g.every_store or id = any(g.store_ids)) and removed_at is null
        order by lower(name), id
        limit @names_limit
    ) t
) n on true
left join lateral (
    select count(*) as alerts, coalesce(bit_xor(hashint8extended(a.id, 0)), 0)::bigint as alerts_mark
    from alerts a
    join stores t on t.id = a.store_id
    where a.closed_at is null and a.done_at is null and t.removed_at is null
        and (g.every_store or a.store_id = any(g.store_ids))
        and (@slug = '' or t.slug = @slug)
        and not exists (select from snoozes_of(a.store_id, a.rule, a.subject, p.id, @now::timestamptz))
) o on true
left join stores w
    on w.slug = @slug
    and w.removed_at is null
    and (g.every_store or w.id = any(g.store_ids))
join lateral first_day(w.id) d on true
where s.token = @token and s.expiry > @now::timestamptz and coalesce(s.seen_at, s.created_at) > @idle_since;

-- name: VisitByToken :one
-- The same for a caller of the JSON API.
select
    a.id as token_id,
    a.name as token_name,
    a.last_used_at,
    coalesce(g.every_store, false)::boolean as every_store,
    coalesce(g.store_ids, '{}')::bigint[] as store_ids,
    w.id as store_id,
    w.slug as store_slug,
    w.name as store_name,
    w.timezone as store_timezone,
    w.history_days as store_history_days,
    w.currency as store_currency,
    w.domain as store_domain,
    w.paused_at as store_paused_at,
    w.revision as store_revision,
    d.day::date as first_day
from api_tokens a
join lateral stores_held(null, a.id, null) g on true
left join stores w
    on w.slug = @slug
    and w.removed_at is null
    and (g.every_store or w.id = any(g.store_ids))
join lateral first_day(w.id) d on true
where a.token_hash = @token_hash and a.expires_at > @now::timestamptz;

-- name: TouchToken :exec
update api_tokens
set last_used_at = @now
where id = @id and (last_used_at is null or last_used_at < @before);

-- name: SaveSession :exec
insert into sessions (token, data, expiry, person_id, created_at, seen_at)
values (@token, @data, @expiry, (convert_from(@data, 'UTF8')::jsonb #>> '{values,person}')::bigint, @now, @now)
on conflict (token) do update set
    data = excluded.data,
    expiry = excluded.expiry,
    person_id = excluded.person_id;

-- name: DeleteSession :exec
delete from sessions where token = @token;

-- name: DeleteSessionsOfPerson :exec
delete from sessions where person_id = @person_id::bigint;

-- name: InsertPerson :one
insert into people (email, name, role)
values (@email, @name, @role)
returning *;

-- name: PersonByEmail :one
select * from people where lower(email) = lower(@email);

-- name: DisablePerson :execrows
update people set disabled_at = coalesce(disabled_at, now()) where id = @id;

-- name: GiveGrant :execrows
-- To a person or an API token: a store, the stores of a group or, only if every_store says so, all
-- stores. No row: there is such a grant.
insert into grants (person_id, api_token_id, store_id, group_id)
select sqlc.narg(person_id)::bigint, sqlc.narg(api_token_id)::bigint, sqlc.narg(store_id)::bigint, sqlc.narg(group_id)::bigint
where @every_store::boolean = (num_nonnulls(sqlc.narg(store_id)::bigint, sqlc.narg(group_id)::bigint) = 0)
on conflict do nothing;

-- name: TakeGrant :execrows
delete from grants
where person_id = @person_id::bigint
  and store_id is not distinct from sqlc.narg(store_id)::bigint and group_id is not distinct from sqlc.narg(group_id)::bigint;

-- name: DeleteSignInLinksOfPerson :exec
delete from sign_in_links where person_id = @person_id;

-- name: InsertToken :one
insert into api_tokens (name, token_hash, made_by, owner_id, expires_at)
values (@name, @token_hash, @made_by, sqlc.narg(owner_id), @expires_at)
returning *;

-- name: RevokeToken :one
-- By its id or its name.
update api_tokens set revoked_at = @now::timestamptz where (id = @id or name = @name) and revoked_at is null returning name;

-- name: TokensWithGrants :many
select
    t.*,
    (t.owner_id is not null and coalesce(o.role <> 'admin' or o.disabled_at is not null, true))::boolean as owner_gone,
    coalesce(bool_or(g.id is not null and g.store_id is null and g.group_id is null), false)::boolean as every_store,
    coalesce(array_agg(s.slug order by s.slug) filter (where s.slug is not null), '{}')::text[] as slugs,
    coalesce(array_agg(r.name order by lower(r.name)) filter (where r.name is not null), '{}')::text[] as group_names
from api_tokens t
left join people o on o.id = t.owner_id
left join grants g on g.api_token_id = t.id
left join stores s on s.id = g.store_id
left join groups r on r.id = g.group_id
group by t.id, o.id
order by t.revoked_at desc nulls first, lower(t.name), t.id;
