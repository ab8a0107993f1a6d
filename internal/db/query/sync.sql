-- name: LedgerOfCredential :many
select * from ledger where store_id = @store_id and service = @service;

-- name: ClaimPulls :many
-- Claims pulls for this worker, each only if nobody claimed it since it was planned: its claim number
-- must still be the planned one, with no lease running. A transaction that writes several ledger rows
-- of a store locks the store first; see LockStore. The lock also guarantees that the credential is
-- still in use unchanged.
with turn as materialized (
    select pg_advisory_xact_lock(hashtextextended('ledger', @store_id::bigint)) as locked
), in_use as materialized (
    select assert_in_use(@credential::bigint, @version::integer, @by_schedule::boolean) from turn where locked is not null
)
insert into ledger as l (store_id, pull, subject, service, lane, due_at, claim, claimed_until)
select @store_id::bigint, w.pull, w.subject, @service::text, w.lane, @due::timestamptz, 1, now() + @lease::interval
from (
    select unnest(@pulls::text[]) as pull, unnest(@subjects::text[]) as subject, unnest(@lanes::text[]) as lane
) as w, in_use
on conflict (store_id, pull, subject) do update set
    claim = l.claim + 1,
    claimed_until = excluded.claimed_until,
    lane = excluded.lane
where (l.claimed_until is null or l.claimed_until <= now())
  and exists (
      select
      from (
          select unnest(@pulls::text[]) as pull, unnest(@subjects::text[]) as subject, unnest(@planned::bigint[]) as claim
      ) as p
      where p.pull = l.pull and p.subject = l.subject and p.claim = l.claim
  )
returning l.pull, l.subject, l.claim;

-- name: LockStore :exec
-- Only one transaction at a time may write rows of other pulls: two that locked them in different
-- orders would deadlock.
select pg_advisory_xact_lock(hashtextextended('ledger', @store_id::bigint));

-- name: ReleaseClaims :exec
update ledger l
set claimed_until = null
from (select unnest(@pulls::text[]) as pull, unnest(@subjects::text[]) as subject, unnest(@claims::bigint[]) as claim) as held
where l.store_id = @store_id and l.pull = held.pull and l.subject = held.subject and l.claim = held.claim;

-- name: AssertClaims :exec
select assert_claim(@store_id::bigint, held.pull, held.subject, held.claim)
from (select unnest(@pulls::text[]) as pull, unnest(@subjects::text[]) as subject, unnest(@claims::bigint[]) as claim) as held;

-- name: FinishPulls :exec
-- The outcomes of pulls, after everything else they write. The rows exist and are claimed; an insert
-- that conflicts finds them by key, whatever was planned.
insert into ledger as l (
    store_id, pull, subject, service, due_at, outcome, outcome_text, tried_at, last_good_at, attempts,
    asked_start, asked_end, applied_start, applied_end, flags
)
select
    @store_id, r.pull, r.subject, @service, r.due_at, r.outcome, r.outcome_text, r.tried_at, r.last_good_at, r.attempts,
    r.asked_start, r.asked_end, r.applied_start, r.applied_end, r.flags
from jsonb_populate_recordset(null::ledger, @rows::jsonb) as r
on conflict (store_id, pull, subject) do update set
    due_at = excluded.due_at,
    outcome = excluded.outcome,
    outcome_text = excluded.outcome_text,
    tried_at = excluded.tried_at,
    last_good_at = coalesce(excluded.last_good_at, l.last_good_at),
    failing_since = case excluded.outcome
        when 'good' then null
        when 'waiting' then l.failing_since
        else coalesce(l.failing_since, excluded.tried_at)
    end,
    attempts = excluded.attempts,
    asked_start = coalesce(excluded.asked_start, l.asked_start),
    asked_end = coalesce(excluded.asked_end, l.asked_end),
    applied_start = coalesce(excluded.applied_start, l.applied_start),
    applied_end = coalesce(excluded.applied_end, l.applied_end),
    flags = case when excluded.outcome = 'good' then excluded.flags else l.flags end,
    claimed_until = null;

-- name: CountDays :exec
-- How far the planned history is filled, for the list of stores. A day whose pull failed is missing,
-- not on its way; the history begins after a day that the service refuses permanently, if no older one
-- is stored. Yesterday is pulled after midnight as usual.
with oldest as materialized (
    select min(d.window_start) as day
    from summaries d
    where d.store_id = @id and d.window_end = d.window_start and not d.partial
), failing as materialized (
    select l.subject::date as day, l.outcome = 'refused' and l.due_at is null and coalesce(l.subject::date < o.day, true) as ends
    from ledger l
    cross join oldest o
    where l.store_id = @id and l.pull = 'summary.day' and l.outcome in ('failed', 'quarantined', 'refused')
), planned as (
    select greatest(sqlc.arg(first_day)::date, (select max(f.day) + 1 from failing f where f.ends)) as start
)
update stores s set
    last_day = k.last_day,
    days_stored = k.stored,
    days_planned = sqlc.arg(yesterday)::date - k.start + 1,
    days_left = greatest(sqlc.arg(yesterday)::date - k.start - k.before - k.failing, 0)
from (
    select
        p.start,
        (
            select max(d.window_start)
            from summaries d
            where d.store_id = @id and d.window_end = d.window_start and not d.partial
        ) as last_day,
        (
            select count(*)
            from summaries d
            where d.store_id = @id and d.window_end = d.window_start and not d.partial
              and d.window_start between p.start and sqlc.arg(yesterday)::date
        ) as stored,
        (
            select count(*)
            from summaries d
            where d.store_id = @id and d.window_end = d.window_start and not d.partial
              and d.window_start >= p.start and d.window_start < sqlc.arg(yesterday)::date
        ) as before,
        (
            select count(*)
            from failing f
            where f.day >= p.start and f.day < sqlc.arg(yesterday)::date
              and not exists (
                  select
                  from summaries d
                  where d.store_id = @id and d.window_start = f.day and d.window_end = f.day and not d.partial
              )
        ) as failing
    from planned p
) k
where s.id = @id;

-- name: TouchStore :exec
-- Ends a transaction that wrote outcomes: the store's revision, and what the replies said about the
-- store. It comes last, since every writer of the store waits for this row.
update stores set
    revision = revision + 1,
    currency = coalesce(sqlc.narg(currency)::text, currency),
    domain = coalesce(domain, sqlc.narg(domain)::text),
    upsell_pulled_at = greatest(upsell_pulled_at, sqlc.narg(upsell_pulled_at)::timestamptz),
    gift_pulled_at = greatest(gift_pulled_at, sqlc.narg(gift_pulled_at)::timestamptz)
where id = @id;

-- name: UpsertReplies :exec
insert into replies (store_id, pull, subject, good, endpoint, query, status, body, fetched_at, took_ms)
select
    @store_id, unnest(@pulls::text[]), unnest(@subjects::text[]), @good, unnest(@endpoints::text[]), unnest(@queries::text[]),
    @status, unnest(@bodies::bytea[]), unnest(@fetched_ats::timestamptz[]), unnest(@took_ms::integer[])
on conflict (store_id, pull, subject, good) do update set
    endpoint = excluded.endpoint,
    query = excluded.query,
    status = excluded.status,
    body = excluded.body,
    fetched_at = excluded.fetched_at,
    took_ms = excluded.took_ms
where replies.fetched_at <= excluded.fetched_at;

-- name: ReplyOf :one
select * from replies
where store_id = @store_id and pull = @pull and subject = @subject and good = @good;

-- name: WakeLedger :exec
-- Everything that has a due time is due now; used when a store's time zone changes.
update ledger set due_at = now() where store_id = @store_id and due_at is not null;

-- name: EnsureSlots :exec
insert into budget_slots (budget, n)
select @budget::bytea, n from generate_series(1, @slot_limit::integer) as n
on conflict do nothing;

-- name: TakeSlots :many
-- Up to wanted free slots, longest free first. Slots that another process is taking right now are
-- skipped. The first reserve slots are for people.
with free as materialized (
    select n
    from budget_slots
    where budget = @budget
      and n <= @slot_limit::integer
      and (n > @reserve::integer or @interactive::boolean)
      and held_until <= now()
    order by held_until
    limit @wanted::integer
    for update skip locked
)
update budget_slots b
set lane = @lane, held_until = clock_timestamp() + @hold::interval
from free
where b.budget = @budget and b.n = free.n
returning b.n, b.held_until;

-- name: GiveBackSlots :exec
-- Slots that were taken but never used to send.
update budget_slots b
set held_until = 'epoch', lane = ''
from (select unnest(@ns::integer[]) as n, unnest(@untils::timestamptz[]) as held_until) as t
where b.budget = @budget and b.n = t.n and b.held_until = t.held_until;

-- name: ReleaseSlots :exec
update budget_slots b
set held_until = clock_timestamp() + @hold::interval
from (select unnest(@ns::integer[]) as n, unnest(@untils::timestamptz[]) as held_until) as t
where b.budget = @budget and b.n = t.n and b.held_until = t.held_until;

-- name: NextFreeSlot :one
-- Seconds until a slot becomes free for the lane; 0 or less if one is free.
select extract(epoch from held_until - clock_timestamp())::float8 as seconds
from budget_slots
where budget = @budget
  and n <= @slot_limit::integer
  and (n > @reserve::integer or @interactive::boolean)
order by held_until
limit 1;

-- name: MarkForeign :exec
-- The service says that fewer calls are left than we thought (N38): the difference was spent outside
-- Storeglass, and is held like our own.
with elsewhere as (
    select sqlc.arg(used)::integer - count(*)::integer as n
    from budget_slots
    where budget = @budget and n <= @slot_limit::integer and held_until > @sent_at::timestamptz
), free as materialized (
    select s.n
    from budget_slots s
    where s.budget = @budget and s.n <= @slot_limit::integer and s.held_until <= now()
    order by s.held_until
    limit (select greatest(elsewhere.n, 0) from elsewhere)
    for update skip locked
)
update budget_slots b
set lane = 'foreign', held_until = clock_timestamp() + @hold::interval
from free
where b.budget = @budget and b.n = free.n;

-- name: HoldFreeSlots :exec
-- The service asked us to wait: nothing is free until then.
update budget_slots
set lane = case when held_until <= now() then 'foreign' else lane end,
    held_until = clock_timestamp() + @wait::interval
where budget = @budget and held_until < clock_timestamp() + @wait::interval;

-- name: SlotsOfStore :many
-- For pages, which may not know the budgets' names.
select service, n, lane, held_until from store_slots
where store_id = @store_id and n <= @slot_limit::integer
order by service, n;

-- name: WakeAll :exec
-- Everything is due now, even what was settled, and each gift day is derived again (N66). What couldn't
-- be derived may be tried again.
with woken as (
    update ledger set due_at = @at::timestamptz
    where ledger.store_id = @store_id and (pull <> 'gift.span' or outcome <> 'refused')
), forgiven as (
    delete from ledger where ledger.store_id = @store_id and pull = 'gift.span' and outcome = 'refused'
), again as (
    update gift_windows set proven_at = 'epoch'
    where gift_windows.store_id = @store_id and window_start = window_end and not includes_today and proven_at is not null
)
update credentials set next_due_at = @at::timestamptz where credentials.store_id = @store_id and state in ('unchecked', 'good');

-- name: SettleDays :exec
-- Days that are due although nothing is planned lie before the history that is wanted, or that the service
-- keeps: a full sync made them due, and nothing would ever pull them.
update ledger set due_at = null
where store_id = @store_id and pull = any(@pulls::text[]) and due_at <= @at::timestamptz
  and (claimed_until is null or claimed_until <= @at::timestamptz);

-- name: WakeFailed :exec
-- Someone requests it: failed pulls are retried now, whatever their backoff.
with woken as (
    update ledger set due_at = @at::timestamptz
    where ledger.store_id = @store_id and outcome in ('failed', 'quarantined') and due_at > @at::timestamptz
)
update credentials set next_due_at = @at::timestamptz where credentials.store_id = @store_id and state in ('unchecked', 'good');
