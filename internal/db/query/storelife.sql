-- A store's life, from the first check of its services to its deletion. These statements check no
-- grants: the caller has checked what the principal may do.

-- name: ActivePersonByID :one
-- The user, unless disabled.
select * from people where id = @id and disabled_at is null;

-- name: InsertPending :exec
insert into pending_connections (id_hash, person_id, found, sealed, key_id, expires_at)
values (@id_hash, @person_id, @found, @sealed, @key_id, @expires_at);

-- name: PendingByID :one
-- Only the person who started it sees it, and only until it expires; the store made from it is returned
-- as long as the row exists.
select * from pending_connections
where id_hash = @id_hash and person_id = @person_id and (store_id is not null or expires_at > @now);

-- name: LockPending :one
-- The same when saving it: of two at once, one waits and then sees the store.
select * from pending_connections
where id_hash = @id_hash and person_id = @person_id and (store_id is not null or expires_at > @now)
for update;

-- name: UsePending :exec
update pending_connections set sealed = null, store_id = @store_id where id_hash = @id_hash;

-- name: LockShops :exec
-- Stores are added one at a time, so that no shop is added twice.
select pg_advisory_xact_lock(hashtextextended('shops', 0));

-- name: StoresOfShop :many
-- The stores that have a shop's numbers, including those that could be restored, found by its domain or
-- by the token of one of its services.
select s.*
from stores s
where (@domain::text <> '' and lower(s.domain) = lower(@domain::text))
   or exists (
       select 1
       from credentials c
       where c.store_id = s.id
         and (c.budget = any(@budgets::bytea[]) or (@domain::text <> '' and lower(c.shop_domain) = lower(@domain::text)))
   )
order by s.removed_at nulls first, s.id;

-- name: BindStore :exec
-- What the services stated before their first pull.
update stores
set currency = coalesce(currency, sqlc.narg(currency)::text),
    domain = coalesce(domain, sqlc.narg(domain)::text)
where id = @id;

-- name: FencePulls :exec
-- Work in progress for a service, or for all if none is named, must not write anything anymore.
update ledger
set claim = claim + 1, claimed_until = null
where store_id = @store_id and @service::text in ('', service) and claimed_until is not null;

-- name: RemoveStore :execrows
update stores
set removed_at = @now::timestamptz, removed_by = @by::text, removed_by_person = sqlc.narg(person)::bigint, revision = revision + 1
where id = @id and removed_at is null;

-- name: RestoreStore :execrows
-- Only until the time is over: after that, the rows may be partly deleted.
update stores
set removed_at = null, removed_by = null, removed_by_person = null, revision = revision + 1
where id = @id and removed_at > @since::timestamptz;

-- name: RemovedStores :many
select * from stores where removed_at > @since::timestamptz order by removed_at desc, id;

-- name: PurgeableStores :many
select id from stores where removed_at <= @before::timestamptz;

-- name: PurgeableStore :one
-- Once it's locked, nobody can restore it anymore.
select * from stores where id = @id and removed_at <= @before::timestamptz for update;

-- name: DeleteCredential :execrows
with deleted as (
    delete from credentials where store_id = @store_id and service = @service returning store_id
)
update stores s set revision = s.revision + 1
from deleted d
where s.id = d.store_id;

-- name: ServicesOfStore :many
-- What people may know about a store's credentials: everything except the tokens.
select
    c.service, c.base_url, c.token_tail, c.shop_domain, c.state, c.paused_cause, c.paused_said, c.paused_at,
    c.next_probe_at, c.outage_since, c.created_at, c.replaced_at,
    coalesce((
        select max(l.last_good_at) from ledger l where l.store_id = c.store_id and l.service = c.service
    ), '0001-01-01 00:00:00+00')::timestamptz as last_good_at,
    coalesce((
        select g.timezone from gift_windows g where g.store_id = c.store_id and c.service = 'gift' order by g.window_start desc limit 1
    ), '')::text as timezone
from credentials c
where c.store_id = @store_id
order by c.service desc;

-- name: ResumeCredential :execrows
-- Someone has seen that the service answers again: what was stopped continues.
with resumed as (
    update credentials c
    set state = 'good', paused_cause = null, paused_said = null, paused_at = null,
        next_probe_at = null, probes = 0, outage_since = null, next_due_at = now()
    where c.id = @id and c.version = @version and c.state in ('doubtful', 'paused')
    returning c.id, c.store_id, c.service, c.host
), others as ( -- in an outage it is proof for them too
    update credentials c
    set outage_since = null, probes = 0, next_probe_at = now()
    from resumed r
    where c.service = r.service and c.host = r.host and c.id <> r.id and c.outage_since is not null
), woken as (
    update ledger l
    set due_at = now(), attempts = 0
    from resumed r
    where l.store_id = r.store_id and l.service = r.service and l.outcome in ('paused', 'failed', 'refused')
)
update stores s set revision = s.revision + 1
from resumed r
where s.id = r.store_id;

-- name: RenewCredentials :exec
-- Work that began with the store in its old state ends.
update credentials set version = version + 1 where store_id = @store_id;
