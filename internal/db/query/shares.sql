-- Share links: one store's pages for people without an account.

-- name: VisitByShare :one
-- Everything a page must know before it starts, in one round trip: the link while it works, and its
-- store. Links by someone who is disabled or gone no longer work.
select
    h.id as share_id,
    h.label,
    h.pages,
    coalesce(h.preset, '')::text as preset,
    h.window_start,
    h.window_end,
    h.compares,
    h.message,
    h.plans,
    coalesce((select p.name from people p where p.id = h.created_by), '')::text as made_by,
    coalesce(h.password_hash, '')::text as password_hash,
    h.expires_at,
    h.last_hit_at,
    coalesce((select b.revision from branding b), 0)::bigint as branding_revision,
    sqlc.embed(w),
    d.day::date as first_day
from shares h
join lateral stores_held(null, null, h.id) g on true
join stores w on w.id = any(g.store_ids) and w.removed_at is null
join lateral first_day(w.id) d on true
where h.token_hash = @token_hash and h.expires_at > @now;

-- name: InsertShare :execrows
-- No row: the store was removed in the meantime, or the principal can't see it.
insert into shares (
    store_id, token_hash, label, pages, preset, window_start, window_end, compares, message, plans, password_hash, created_by, created_at, expires_at
)
select
    w.id, @token_hash, @label, @pages, sqlc.narg(preset), sqlc.narg(window_start), sqlc.narg(window_end),
    @compares, @message, @plans, sqlc.narg(password_hash), @created_by::bigint, @created_at, @expires_at
from stores w
where w.id = @store_id and w.removed_at is null;

-- name: ListShares :many
-- Those of one store or, for the command line, of every store or the one with that slug; within each,
-- working ones first, newest first. The columns don't include a link's secrets.
select
    h.id,
    h.label,
    h.pages,
    coalesce(h.preset, '')::text as preset,
    h.window_start,
    h.window_end,
    h.compares,
    h.plans,
    (h.password_hash is not null)::boolean as has_password,
    h.created_at,
    h.expires_at,
    h.revoked_at,
    h.hits,
    h.last_hit_at,
    coalesce(p.name, '')::text as made_by,
    (p.id is null or p.disabled_at is not null)::boolean as maker_gone,
    w.slug
from shares h
join stores w on w.id = h.store_id
left join people p on p.id = h.created_by
where case when @every_store::boolean then @slug::text in ('', w.slug) else h.store_id = @store_id end
order by w.slug, (h.revoked_at is null and h.expires_at > @now and p.id is not null and p.disabled_at is null) desc, h.created_at desc, h.id desc;

-- name: RevokeShare :one
-- Of the store or, for the command line, of every store. No row: there is no such link, or it's already
-- revoked.
update shares h
set revoked_at = @now
from stores w
where h.id = @id and h.revoked_at is null and w.id = h.store_id and (@every_store::boolean or w.id = @store_id)
returning h.label, w.slug;

-- name: HitShare :exec
update shares
set hits = hits + 1, last_hit_at = greatest(last_hit_at, @at)
where id = @id;

-- name: LastHitOfShare :one
select last_hit_at from shares where id = @id for update;
