-- name: OffersFirst :many
-- The offers whose details go first: those in the newest ranking of 30 days, then the other active
-- ones, highest earners first.
with newest as (
    select n.window_start, n.window_end
    from top_lists n
    where n.store_id = @store_id and n.direction = 'highest' and n.window_end - n.window_start = 29
    order by n.window_end desc
    limit 1
), ranked as materialized (
    select t.offer_id, t.revenue
    from newest n
    join top_offers t on t.store_id = @store_id and t.window_start = n.window_start and t.window_end = n.window_end and t.direction = 'highest'
), first as (
    select o.offer_id, o.revenue, r.revenue as ranked
    from ranked r
    join offers o on o.store_id = @store_id and o.offer_id = r.offer_id
    where not o.deleted
    union all
    select o.offer_id, o.revenue, null
    from offers o
    where o.store_id = @store_id and not o.deleted and o.status = 'active' and o.offer_id not in (select r.offer_id from ranked r)
)
select f.offer_id
from first f
order by f.ranked desc nulls last, f.revenue desc nulls last, f.offer_id;

-- name: WantOffer :execrows
-- Someone is looking at an offer whose details are missing or over a day old, so its pulls go first.
-- At most cap of a store's pulls wait at once: opening many pages can't use up the budget. Pulls tried
-- within the last hour keep their own schedule.
update ledger l
set due_at = sqlc.arg(now)::timestamptz, wanted_at = sqlc.arg(now)::timestamptz
where l.store_id = @store_id and l.pull in ('offer.setup', 'offer.stages', 'offer.recommendations') and l.subject = @offer_id
  and (l.claimed_until is null or l.claimed_until <= now())
  and (l.tried_at is null or l.tried_at < sqlc.arg(now)::timestamptz - interval '1 hour')
  and (l.last_good_at is null or l.last_good_at < sqlc.arg(now)::timestamptz - interval '1 day')
  and (l.wanted_at is null or l.wanted_at < sqlc.arg(now)::timestamptz - interval '10 minutes')
  and (
      select count(*)
      from ledger w
      where w.store_id = @store_id and w.wanted_at > sqlc.arg(now)::timestamptz - interval '10 minutes'
        and (w.tried_at is null or w.tried_at < w.wanted_at)
  ) < @cap::bigint;

-- name: WantPulls :execrows
-- Someone is waiting for these pulls: they go first, and at most cap pulls of a store wait at once.
-- Pulls tried within the last hour keep their own schedule, unless someone refreshes: then all run
-- again except those the service refused, and those in progress once more.
with under_way as (
    select min(p.wanted_at) as since
    from ledger p
    join (select unnest(@pulls::text[]) as pull, unnest(@subjects::text[]) as subject) as w using (pull, subject)
    where p.store_id = @store_id and p.wanted_at > sqlc.arg(now)::timestamptz - interval '10 minutes'
      and (p.tried_at is null or p.tried_at < p.wanted_at)
)
insert into ledger as l (store_id, service, pull, subject, lane, due_at, wanted_at)
select @store_id, c.service, w.pull, w.subject, 'interactive', sqlc.arg(now)::timestamptz, sqlc.arg(now)::timestamptz
from (select unnest(@pulls::text[]) as pull, unnest(@subjects::text[]) as subject) as w
join credentials c on c.store_id = @store_id and c.service = case when w.pull like 'gift.%' then 'gift' else 'upsell' end
where c.state in ('unchecked', 'good') and (
    select count(*)
    from ledger p
    where p.store_id = @store_id and p.wanted_at > sqlc.arg(now)::timestamptz - interval '10 minutes'
      and (p.tried_at is null or p.tried_at < p.wanted_at)
) < @cap::bigint
on conflict (store_id, pull, subject) do update set due_at = excluded.due_at, wanted_at = excluded.wanted_at
where (l.claimed_until is null or l.claimed_until <= now())
  and case
      when @again::boolean
      then l.outcome <> 'refused' and (l.wanted_at is null or l.wanted_at < coalesce((select since from under_way), 'infinity'))
      else (l.tried_at is null or l.tried_at < sqlc.arg(now)::timestamptz - interval '1 hour')
          and (l.wanted_at is null or l.wanted_at < sqlc.arg(now)::timestamptz - interval '10 minutes')
  end;

-- name: Refreshing :one
-- How many of these pulls, requested together with those still to come, were tried, when the first of
-- those still to come was requested, and in how many seconds the next can run, given the budget and the
-- service's own waiting time.
with asked as (
    select l.service, l.wanted_at, l.due_at, coalesce(l.tried_at >= l.wanted_at and l.outcome <> 'waiting', false) as answered
    from ledger l
    join (select unnest(@pulls::text[]) as pull, unnest(@subjects::text[]) as subject) as w using (pull, subject)
    where l.store_id = @store_id and l.wanted_at > sqlc.arg(now)::timestamptz - interval '10 minutes'
), open as (
    select a.service, min(a.wanted_at) as since, min(a.due_at) as due_at
    from asked a
    where not a.answered
    group by a.service
), waits as (
    select greatest(
        extract(epoch from o.due_at - sqlc.arg(now)::timestamptz),
        extract(epoch from (
            select min(b.held_until) from store_slots b where b.store_id = @store_id and b.service = o.service and b.n <= @slot_limit::integer
        ) - clock_timestamp())
    ) as seconds
    from open o
)
select
    count(*) as total,
    count(*) filter (where a.answered) as answered,
    coalesce((select min(o.since) from open o), sqlc.arg(now)::timestamptz)::timestamptz as since,
    coalesce((select max(w.seconds) from waits w), 0)::float8 as wait
from asked a
where a.wanted_at >= (select min(o.since) from open o);

-- name: WantedCredentials :many
-- Credentials with pulls that someone is waiting for.
select distinct c.id
from ledger l
join credentials c on c.store_id = l.store_id and c.service = l.service
join stores s on s.id = c.store_id
where l.wanted_at > sqlc.arg(now)::timestamptz - interval '10 minutes' and l.wanted_at <= sqlc.arg(now)::timestamptz
  and (l.tried_at is null or l.tried_at < l.wanted_at)
  and (l.claimed_until is null or l.claimed_until <= now())
  and c.state in ('unchecked', 'good') and s.paused_at is null and s.removed_at is null;

-- name: LookSoon :exec
update credentials set next_due_at = least(next_due_at, @now::timestamptz) where id = any(@ids::bigint[]);

-- name: BudgetSharers :many
-- How many other stores with due work share a store's budgets.
select service, others from budget_sharers where store_id = @store_id;

-- name: PriorityWalks :many
select * from priority_walks where store_id = @store_id;

-- name: CallTimes :many
-- How long the newest good calls of each service took on average.
select k.service::text as service, avg(r.took_ms)::float8 as ms
from (values ('upsell'), ('gift')) as k (service)
cross join lateral (
    select took_ms
    from replies
    where store_id = @store_id and good and (pull like 'gift.%') = (k.service = 'gift')
    order by fetched_at desc
    limit 40
) as r
group by k.service;
