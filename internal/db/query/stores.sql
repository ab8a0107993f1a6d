-- name: StoresInScope :many
-- The stores in a scope; every_store is a grant for all stores.
select s.*
from stores s
where (@every_store::boolean or s.id = any(@store_ids::bigint[])) and s.removed_at is null
order by lower(s.name), s.id;

-- name: StoreInScope :one
select sqlc.embed(s), d.day::date as first_day
from stores s
join lateral first_day(s.id) d on true
where s.slug = @slug and s.removed_at is null and (@every_store::boolean or s.id = any(@store_ids::bigint[]));

-- name: StoresHeld :many
-- By a person. No row: they are disabled. Removed stores are included.
select h.every_store::boolean as every_store, h.store_ids::bigint[] as store_ids
from stores_held(@person_id::bigint, null, null) h;

-- name: InsertStore :one
insert into stores (slug, name, timezone, history_days)
values (@slug, @name, @timezone, @history_days)
returning *;

-- name: StoreBySlug :one
-- For the command line and the worker, which are above grants.
select * from stores where slug = @slug;

-- name: StoreByID :one
select * from stores where id = @id;

-- name: AllStores :many
select * from stores order by slug;

-- name: UpdateStore :one
update stores
set name = @name, timezone = @timezone, history_days = @history_days, revision = revision + 1
where id = @id
returning *;

-- name: PauseStore :exec
update stores set paused_at = coalesce(paused_at, now()), revision = revision + 1 where id = @id;

-- name: ResumeStore :exec
with doubted as (
    update gift_plans set doubted = true where store_id = @id
), resumed as (
    update credentials
    set state = 'unchecked', paused_cause = null, paused_said = null, paused_at = null,
        next_probe_at = null, probes = 0, outage_since = null, next_due_at = now()
    where store_id = @id
), woken as ( -- with each service's cheapest call, so that the credential is checked at once
    update ledger set due_at = now(), attempts = 0
    where store_id = @id and (outcome in ('paused', 'failed', 'refused') or pull in ('offer_count', 'gift.plan'))
)
update stores set paused_at = null, revision = revision + 1 where stores.id = @id;

-- name: DeleteStore :exec
delete from stores where id = @id;

-- name: UpsertCredential :one
with doubted as (
    update gift_plans set doubted = true where store_id = @store_id and @service = 'gift'
), noticed as (
    update stores set revision = revision + 1 where id = @store_id
)
insert into credentials (store_id, service, base_url, token_sealed, key_id, budget, token_tail, shop_domain, state)
values (@store_id, @service, @base_url, @token_sealed, @key_id, @budget, @token_tail, @shop_domain, @state)
on conflict (store_id, service) do update set
    base_url = excluded.base_url,
    token_sealed = excluded.token_sealed,
    key_id = excluded.key_id,
    budget = excluded.budget,
    token_tail = excluded.token_tail,
    shop_domain = excluded.shop_domain,
    state = excluded.state,
    paused_cause = null,
    paused_said = null,
    paused_at = null,
    next_probe_at = null,
    probes = 0,
    probed_at = null,
    outage_since = null,
    next_due_at = now(),
    version = credentials.version + 1,
    replaced_at = now(),
    ranking_limit = null
returning *;

-- name: CredentialsOfStore :many
select * from credentials where store_id = @store_id order by service desc;

-- name: CredentialByID :one
select * from credentials where id = @id;

-- name: DueCredentials :many
-- What the tick starts: one job for each credential that has something to pull, or whose refusal is to
-- be checked again. In an outage, one credential is checked for its whole host: the one checked longest
-- ago.
select c.id, c.store_id, c.service
from credentials c
join stores s on s.id = c.store_id
where s.paused_at is null and s.removed_at is null
  and (
      (c.state in ('unchecked', 'good') and c.next_due_at <= @now)
      or (c.state in ('doubtful', 'paused') and c.next_probe_at <= @now)
  )
  and (c.outage_since is null or c.id = (
      select k.id
      from credentials k
      join stores t on t.id = k.store_id
      where k.service = c.service and k.host = c.host and k.outage_since is not null
        and t.paused_at is null and t.removed_at is null
      order by k.probed_at nulls first, k.id
      limit 1
  ))
order by c.next_due_at;

-- name: SetCredentialDue :exec
-- For the credential as it was: one that was replaced in the meantime is due at once.
update credentials set next_due_at = @next_due_at where id = @id and version = @version;

-- name: WakeIfWidened :exec
-- After SetCredentialDue: its time came from a history setting that someone has changed since.
update credentials c
set next_due_at = @now
from stores s
where s.id = c.store_id and c.id = @id and c.version = @version and s.history_days <> @history_days;

-- name: WakeStore :exec
update credentials set next_due_at = now() where store_id = @store_id and state in ('unchecked', 'good');

-- name: PauseCredential :exec
-- The first cause stays: later answers to a dead token say less. Only a cause that forbids further
-- calls (no next probe) replaces one that is being probed: after NO_PLAN, calls answer INVALID_KEY, and
-- two calls in progress may return in the other order (N40). An answer about a token that has been
-- replaced since doesn't apply to the new one.
with stopped as (
    update credentials c
    set state = case when p.keeps then c.state else @state::text end,
        paused_cause = case when p.keeps then c.paused_cause else @cause::text end,
        paused_said = case when p.keeps then c.paused_said else @said::text end,
        paused_at = coalesce(c.paused_at, @now::timestamptz),
        next_probe_at = case when p.keeps then c.next_probe_at else sqlc.narg(next_probe_at)::timestamptz end,
        outage_since = case when p.keeps then c.outage_since end
    from (
        select k.id,
            k.paused_cause is not null
            and not (k.next_probe_at is not null and sqlc.narg(next_probe_at)::timestamptz is null) as keeps
        from credentials k
        where k.id = @id and k.version = @version
        for update
    ) p
    where c.id = p.id
    returning c.store_id
)
update stores s set revision = s.revision + 1
from stopped
where s.id = stopped.store_id;

-- name: ProbeFailed :exec
-- A probe brought no good answer. hand_over: the refusal has lasted, so a person is notified, but not
-- in an outage, whose steps are those of the whole host.
with probed as (
    update credentials c
    set probes = c.probes + 1, probed_at = @now::timestamptz, next_probe_at = @next_probe_at::timestamptz,
        state = case when @hand_over::boolean and c.outage_since is null then 'paused' else c.state end
    where c.id = @id and c.version = @version and c.state in ('doubtful', 'paused') and c.next_probe_at is not null
    returning c.id, c.store_id, c.service, c.host, c.outage_since
), together as (
    update credentials c
    set probes = c.probes + 1, next_probe_at = @next_probe_at::timestamptz
    from probed p
    where p.outage_since is not null and c.outage_since is not null
      and c.service = p.service and c.host = p.host and c.id <> p.id
    returning c.store_id
)
update stores s set revision = s.revision + 1
where s.id in (select p.store_id from probed p union select t.store_id from together t);

-- name: PutProbeOff :exec
-- Nothing was sent: there was no slot, or the service asked us to wait.
update credentials set next_probe_at = @next_probe_at::timestamptz
where id = @id and version = @version and state in ('doubtful', 'paused') and next_probe_at is not null;

-- name: NoteProbe :exec
-- Someone had it checked in between: the schedule stays as it is.
update credentials set probed_at = @now::timestamptz where id = @id and version = @version;

-- name: CredentialAnswers :many
-- A stopped credential works again: its pulls continue where they stopped. That is also proof for its
-- host: in an outage, all others are checked at once, each on its own, and their refusals are counted
-- from zero.
with answered as (
    update credentials c
    set state = 'good', paused_cause = null, paused_said = null, paused_at = null,
        next_probe_at = null, probes = 0, probed_at = @now::timestamptz, outage_since = null, next_due_at = @now::timestamptz
    where c.id = @id and c.version = @version and c.state in ('doubtful', 'paused')
    returning c.id, c.store_id, c.service, c.host
), others as (
    update credentials c
    set outage_since = null, probes = 0, next_probe_at = @now::timestamptz
    from answered a
    where c.service = a.service and c.host = a.host and c.id <> a.id and c.outage_since is not null
    returning c.id, c.store_id
), noticed as (
    update stores s set revision = s.revision + 1
    where s.id in (select a.store_id from answered a union select o.store_id from others o)
)
select a.id from answered a union all select o.id from others o;

-- name: RefusedTogether :many
-- The credentials of each service and host where one is refused: this distinguishes an outage from a
-- bad token. Credentials not in use right now say nothing.
select c.id, c.service, c.host, c.state, coalesce(c.paused_cause, '')::text as cause, c.paused_at, c.outage_since,
    coalesce(greatest(
        case c.service when 'gift' then s.gift_pulled_at else s.upsell_pulled_at end,
        case when c.state = 'good' then c.probed_at end
    ), '0001-01-01 00:00:00+00')::timestamptz as answered_at
from credentials c
join stores s on s.id = c.store_id
where s.paused_at is null and s.removed_at is null
  and exists (
      select from credentials k
      where k.service = c.service and k.host = c.host and k.state in ('doubtful', 'paused') and k.next_probe_at is not null
  )
order by c.service, c.host, c.id;

-- name: BeginOutage :exec
with marked as (
    update credentials
    set state = 'doubtful', outage_since = coalesce(outage_since, @since::timestamptz)
    where id = any(@ids::bigint[]) and state in ('doubtful', 'paused') and next_probe_at is not null and outage_since is null
    returning store_id
)
update stores s set revision = s.revision + 1
where s.id in (select m.store_id from marked m);

-- name: EndOutage :exec
with marked as (
    update credentials
    set outage_since = null, probes = 0, next_probe_at = @now::timestamptz
    where id = any(@ids::bigint[]) and outage_since is not null
    returning store_id
)
update stores s set revision = s.revision + 1
where s.id in (select m.store_id from marked m);

-- name: StoppedCredentials :many
-- Those that the service refuses, of stores that aren't removed.
select c.id, c.service, s.slug, (s.paused_at is not null)::boolean as store_paused
from credentials c
join stores s on s.id = c.store_id
where c.state in ('doubtful', 'paused') and s.removed_at is null
order by s.slug, c.service desc;

-- name: ProbeNow :many
-- Someone wants these stores' refused credentials checked now: those that may be checked at all and
-- weren't just checked.
update credentials c
set next_probe_at = @now::timestamptz
from stores s
where s.id = c.store_id and s.id = any(@store_ids::bigint[]) and s.removed_at is null and s.paused_at is null
  and c.state in ('doubtful', 'paused') and c.next_probe_at is not null
  and (c.probed_at is null or c.probed_at < @since::timestamptz)
returning c.id;

-- name: NameCredential :exec
-- Binds the credential to the shop that the service named first (N35).
update credentials
set state = case when state = 'unchecked' then 'good' else state end,
    shop_domain = coalesce(shop_domain, sqlc.narg(shop_domain)::text)
where id = @id
  and (state = 'unchecked' or (shop_domain is null and sqlc.narg(shop_domain)::text is not null));
