-- The inventory: rows as listed, their changes and details, and the walks that find them.

-- name: UpsertOffers :exec
-- Rows as listed, with an event for each change. The details of a new or changed row are requested
-- right away. A row marked as deleted never overwrites a live one (N17). A row that no walk over the
-- inventory saw comes with walk 0.
with changed as (
    insert into offer_events (store_id, offer_id, at, kind, before, after)
    select @store_id, r.offer_id, @fetched_at, e.kind, coalesce(e.before, ''), e.after
    from jsonb_populate_recordset(null::offers, @rows::jsonb) as r
    left join offers o on o.store_id = @store_id and o.offer_id = r.offer_id
    cross join lateral (
        values
            ('first_seen', o.offer_id is null, '', r.name),
            ('renamed', o.name <> r.name, o.name, r.name),
            ('status', o.status <> r.status, o.status, r.status),
            ('placement', o.placement <> r.placement, o.placement, r.placement),
            ('ab_test', o.ab_test <> r.ab_test, o.ab_test::text, r.ab_test::text),
            ('relisted', o.deleted or o.unlisted_at is not null, '', '')
    ) as e (kind, happened, before, after)
    where e.happened and (o.offer_id is null or (o.last_listed_at <= @fetched_at and not r.deleted))
    on conflict do nothing
    returning offer_id
), asked as (
    insert into ledger (store_id, pull, subject, service, due_at)
    select @store_id, p.pull, c.offer_id, 'upsell', @fetched_at
    from (select distinct offer_id from changed) c,
        unnest(array['offer.setup', 'offer.stages', 'offer.recommendations']) as p (pull)
    on conflict (store_id, pull, subject) do update set due_at = excluded.due_at
)
insert into offers as o (
    store_id, offer_id, name, status, placement, ab_test, url, revenue, currency, created_at_text, deleted,
    first_seen_at, last_listed_at, last_walk
)
select
    @store_id, r.offer_id, r.name, r.status, r.placement, r.ab_test, r.url,
    r.revenue, @currency, r.created_at_text, r.deleted, @fetched_at, @fetched_at, @walk
from jsonb_populate_recordset(null::offers, @rows::jsonb) as r
on conflict (store_id, offer_id) do update set
    name = excluded.name,
    status = excluded.status,
    placement = excluded.placement,
    ab_test = excluded.ab_test,
    url = excluded.url,
    revenue = excluded.revenue,
    currency = excluded.currency,
    created_at_text = excluded.created_at_text,
    deleted = excluded.deleted,
    priority = case when o.placement = excluded.placement then o.priority end,
    priority_walk = case when o.placement = excluded.placement then o.priority_walk else 0 end,
    unlisted_at = null,
    last_listed_at = excluded.last_listed_at,
    last_walk = greatest(o.last_walk, excluded.last_walk)
where o.last_listed_at <= excluded.last_listed_at and not excluded.deleted;

-- name: MeetOffers :exec
-- Offers on a page of the walk for which a list answered later but written earlier already has newer values.
update offers
set last_walk = @walk
where store_id = @store_id and offer_id = any(@offer_ids::text[]) and last_walk < @walk;

-- name: MarkDeleted :exec
-- Offers that rankings mark as deleted. What else a ranking says about them stays with the ranking
-- (N17); an offer that was never in the inventory isn't created.
with called as (
    select c.offer_id, max(c.at)::timestamptz as at
    from (select unnest(@offer_ids::text[]) as offer_id, unnest(@ats::timestamptz[]) as at) as c
    group by c.offer_id
), gone as (
    update offers o
    set deleted = true
    from called
    where o.store_id = @store_id and o.offer_id = any(@offer_ids::text[]) and o.offer_id = called.offer_id
      and not o.deleted and o.last_listed_at <= called.at
    returning o.offer_id, called.at
), noted as (
    insert into offer_events (store_id, offer_id, at, kind)
    select @store_id, g.offer_id, g.at, 'deleted' from gone g
    on conflict do nothing
)
update ledger l
set due_at = null
from gone
where l.store_id = @store_id and l.pull in ('offer.setup', 'offer.stages', 'offer.recommendations')
  and l.subject = gone.offer_id;

-- name: NewestWalk :many
-- The current walk, or the last one that has finished, if any.
select * from offer_walks
where store_id = @store_id and (finished_at is null) = @open::boolean
order by id desc
limit 1;

-- name: DropWalk :exec
delete from offer_walks where id = @id;

-- name: StartWalk :one
with walk as (
    insert into offer_walks (store_id, started_at) values (@store_id, @started_at)
    returning *
), slices as (
    insert into offer_slices (walk_id, n, placement, status, ab_test, sort)
    select walk.id, r.n, r.placement, r.status, r.ab_test, r.sort
    from walk, jsonb_populate_recordset(null::offer_slices, @slices::jsonb) as r
)
select * from walk;

-- name: AddSlices :exec
insert into offer_slices (walk_id, n, placement, status, ab_test, sort)
select @walk_id, r.n, r.placement, r.status, r.ab_test, r.sort
from jsonb_populate_recordset(null::offer_slices, @slices::jsonb) as r
on conflict do nothing;

-- name: SlicesOfWalk :many
select * from offer_slices where walk_id = @walk_id order by n;

-- name: MetInWalk :many
-- Which of the offers were on an earlier page of the walk over the inventory or over a display order.
select offer_id from offers
where store_id = @store_id and offer_id = any(@offer_ids::text[])
  and case when @display_order::boolean then priority_walk else last_walk end = @walk::bigint;

-- name: UnknownInWalk :one
-- Whether an earlier page of the walk had an undocumented placement or status.
select exists (
    select
    from offers
    where store_id = @store_id and last_walk = @walk_id
      and not (placement = any(@placements::text[]) and status in ('active', 'scheduled', 'expired'))
);

-- name: SeenOfPart :one
select count(*) from offers
where store_id = @store_id and last_walk = @walk_id
  and (@placement::text = '' or placement = @placement::text)
  and (@status::text = '' or status = @status::text)
  and (not @ab_test::boolean or ab_test);

-- name: StepSlice :exec
update offer_slices
set next_page = @next_page,
    listed_total = coalesce(sqlc.narg(listed_total)::bigint, listed_total),
    fresh = @fresh,
    done_at = sqlc.narg(done_at)::timestamptz,
    clamped = @clamped
where walk_id = @walk_id and n = @n;

-- name: StepWalk :exec
update offer_walks
set calls = @calls,
    listed_total = coalesce(sqlc.narg(listed_total)::bigint, listed_total)
where id = @id;

-- name: FinishWalk :exec
update offer_walks w
set finished_at = @finished_at,
    seen = (select count(*) from offers o where o.store_id = w.store_id and o.last_walk = w.id),
    clamped = exists (
        select from offer_slices s
        where s.walk_id = w.id and s.clamped and s.sort = 'newest' and s.status <> ''
    )
where w.id = @id;

-- name: SettleWalk :exec
-- Compares the last finished walk with the count, if they are from the same hour. If they agree, the
-- walk was complete, and an offer it didn't see is no longer listed. If they differ, the count may be
-- older than the walk, so it's requested again, once. If a newer count differs, too, rows may have moved
-- between pages: the walk is taken again at once, and a second time an hour later. Nothing is deleted
-- either way (N10).
with settled as (
    update offer_walks w
    set counted = c.total, whole = w.seen = c.total
    from offer_counts c
    where w.id = (select max(f.id) from offer_walks f where f.store_id = @store_id and f.finished_at is not null)
      and not w.whole
      and c.store_id = w.store_id and c.placement = ''
      and c.fetched_at between w.started_at - interval '1 hour' and w.finished_at + interval '1 hour'
    returning w.id, w.whole, w.started_at, w.finished_at, w.clamped, c.fetched_at < w.finished_at as older
), missing as (
    update offers o
    set unlisted_at = @at
    from settled s
    where s.whole and o.store_id = @store_id and o.last_walk <> s.id and o.last_listed_at < s.started_at
      and not o.deleted and o.unlisted_at is null
    returning o.offer_id
), noted as (
    insert into offer_events (store_id, offer_id, at, kind)
    select @store_id, m.offer_id, @at, 'unlisted' from missing m
    on conflict do nothing
), unasked as (
    update ledger l
    set due_at = null
    from missing m
    where l.store_id = @store_id and l.pull in ('offer.setup', 'offer.stages', 'offer.recommendations')
      and l.subject = m.offer_id
), walked_again as (
    update ledger l
    set due_at = least(l.due_at, sqlc.arg(at)::timestamptz + (f.times - 1) * interval '1 hour')
    from settled s, lateral (
        select count(*) as times from offer_walks o
        where o.store_id = @store_id and not o.whole and o.finished_at > s.finished_at - interval '12 hours'
    ) as f
    where not s.whole and not s.older and not s.clamped and f.times <= 2
      and l.store_id = @store_id and l.pull = 'offers'
)
update ledger l
set due_at = @at
from settled s
where not s.whole and s.older and l.store_id = @store_id and l.pull = 'offer_count';

-- name: PriorityWalk :one
-- The walk over a placement's display order: the current one, or the next.
insert into priority_walks as p (store_id, placement) values (@store_id, @placement)
on conflict (store_id, placement) do update set
    walk = case when p.finished_at is null then p.walk else p.walk + 1 end,
    next_page = case when p.finished_at is null then p.next_page else 1 end,
    listed_total = case when p.finished_at is null then p.listed_total end,
    finished_at = null
returning *;

-- name: SetPriorities :exec
-- The order as listed, for offers in the inventory. A changed position is an event, but no reason to
-- request the details: if one offer moves up, all others move.
with moved as (
    insert into offer_events (store_id, offer_id, at, kind, before, after)
    select @store_id, o.offer_id, @at, 'priority', o.priority::text, r.priority::text
    from jsonb_populate_recordset(null::offers, @rows::jsonb) as r
    join offers o on o.store_id = @store_id and o.offer_id = r.offer_id
    where o.priority <> r.priority
    on conflict do nothing
)
update offers o
set priority = r.priority, priority_walk = @walk
from jsonb_populate_recordset(null::offers, @rows::jsonb) as r
where o.store_id = @store_id and o.offer_id = r.offer_id;

-- name: StepPriorityWalk :exec
update priority_walks
set next_page = @next_page,
    listed_total = coalesce(sqlc.narg(listed_total)::bigint, listed_total),
    finished_at = sqlc.narg(finished_at)::timestamptz
where store_id = @store_id and placement = @placement;

-- name: ForgetPriorities :exec
-- After a walk that saw as many offers as the list has: an offer that it didn't see no longer has a position.
with walk as (
    select p.walk
    from priority_walks p
    where p.store_id = @store_id and p.placement = @placement
      and p.listed_total = (
          select count(*) from offers o
          where o.store_id = p.store_id and o.placement = p.placement and o.priority_walk = p.walk
      )
)
update offers o
set priority = null
from walk
where o.store_id = @store_id and o.placement = @placement and o.priority is not null and o.priority_walk <> walk.walk;

-- name: UpsertSetup :exec
insert into offer_setups as s (store_id, offer_id, body, starts_on, ends_on, fetched_at)
values (@store_id, @offer_id, @body, @starts_on, @ends_on, @fetched_at)
on conflict (store_id, offer_id) do update set
    body = excluded.body,
    starts_on = excluded.starts_on,
    ends_on = excluded.ends_on,
    fetched_at = excluded.fetched_at
where s.fetched_at <= excluded.fetched_at;

-- name: UpsertStages :exec
insert into offer_stages as s (store_id, offer_id, body, fetched_at)
values (@store_id, @offer_id, @body, @fetched_at)
on conflict (store_id, offer_id) do update set body = excluded.body, fetched_at = excluded.fetched_at
where s.fetched_at <= excluded.fetched_at;

-- name: UpsertRecommendations :exec
insert into offer_recommendations as s (store_id, offer_id, body, fetched_at)
values (@store_id, @offer_id, @body, @fetched_at)
on conflict (store_id, offer_id) do update set body = excluded.body, fetched_at = excluded.fetched_at
where s.fetched_at <= excluded.fetched_at;

-- name: ListOffers :many
-- All of a store's offers, and for active or scheduled ones whether the trigger points to something deleted.
select sqlc.embed(o),
    (coalesce(s.deleted_triggers, 0) > 0 and o.status <> 'expired' and not o.deleted and o.unlisted_at is null)::boolean as trigger_deleted
from offers o
left join offer_setups s on s.store_id = o.store_id and s.offer_id = o.offer_id
where o.store_id = @store_id;

-- name: OffersActiveThroughout :one
-- The offers that, as far as we saw, were active on every day since the first: active now, started by
-- that day, and not switched since. An offer's start is only known once its setup was read. Coupon
-- offers report no revenue. Nothing is known before the inventory was first read to its end.
select exists (select from offer_walks w where w.store_id = @store_id and w.finished_at is not null) as known, array(
    select o.offer_id
    from offers o
    join offer_setups s using (store_id, offer_id)
    where o.store_id = @store_id and o.status = 'active' and not o.deleted and o.unlisted_at is null
      and o.placement <> 'Coupon offer'
      and o.created_at_text ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' and left(o.created_at_text, 10) <= @first_day::text
      and coalesce(s.starts_on::text, '') <= @first_day::text
      and not exists (
          select from offer_events e
          where e.store_id = o.store_id and e.offer_id = o.offer_id and e.kind = 'status'
            and (e.at at time zone @clock::text)::date::text >= @first_day::text
      )
    order by o.offer_id
)::text[] as offer_ids;

-- name: OfferByID :many
select * from offers where store_id = @store_id and offer_id = @offer_id;

-- name: DetailsOfOffer :many
select 'offer.setup' as pull, s.body, s.fetched_at from offer_setups s where s.store_id = @store_id and s.offer_id = @offer_id
union all
select 'offer.stages', g.body, g.fetched_at from offer_stages g where g.store_id = @store_id and g.offer_id = @offer_id
union all
select 'offer.recommendations', r.body, r.fetched_at from offer_recommendations r where r.store_id = @store_id and r.offer_id = @offer_id;

-- name: EventsOfOffer :many
select at, kind, before, after from offer_events
where store_id = @store_id and offer_id = @offer_id
order by at desc, kind
limit 200;

-- name: DaysOfOffer :many
-- The offer's row in each day's ranking; if both ends have it, the newer one. A lowest end older than
-- the highest says nothing about today's value.
select distinct on (t.window_start) t.window_start as day, t.revenue, t.claims, l.currency, l.fetched_at
from top_offers t
join top_lists l using (store_id, window_start, window_end, direction)
join top_lists h
    on h.store_id = l.store_id and h.window_start = l.window_start and h.window_end = l.window_end and h.direction = 'highest'
    and l.fetched_at >= h.fetched_at - interval '1 hour'
where t.store_id = @store_id and t.offer_id = @offer_id
  and t.window_start between @first_day::date and @last_day::date
  and t.window_start = t.window_end and (not l.partial or t.window_start = @today::date)
order by t.window_start, l.fetched_at desc, t.direction;

-- name: DeletedTriggers :many
-- For each placement, the active or scheduled offers whose trigger points to something deleted: how
-- many, their ids, and the one that is shown first.
with gone as (
    select o.placement, count(*) as offers, array_agg(o.offer_id order by o.status <> 'active', o.priority, o.offer_id)::text[] as offer_ids
    from offer_setups s
    join offers o using (store_id, offer_id)
    where s.store_id = @store_id and s.deleted_triggers > 0
      and o.status <> 'expired' and not o.deleted and o.unlisted_at is null
    group by o.placement
)
select g.placement, g.offers, g.offer_ids, o.offer_id, o.name, s.body
from gone g
join offers o on o.store_id = @store_id and o.offer_id = g.offer_ids[1]
join offer_setups s on s.store_id = o.store_id and s.offer_id = o.offer_id
order by g.placement;

-- name: RowsOfOffers :many
-- The offers' rows in both ends of each day's ranking, highest first. RankingsOfDays decides which
-- count: joining it here would look up every list again for each row.
select offer_id, window_start as day, direction, revenue, claims
from top_offers
where store_id = @store_id and offer_id = any(@offer_ids::text[])
  and window_start between @first_day::date and @last_day::date and window_end = window_start
order by offer_id, window_start, direction;

-- name: StartsAndEnds :many
-- Starts and ends of offers within a window, one row each.
select m.day::date as day, m.start::boolean as start, false as gift, o.name, o.offer_id, o.placement
from offer_setups s
join offers o using (store_id, offer_id)
cross join lateral (values (s.starts_on, true), (s.ends_on, false)) as m (day, start)
where s.store_id = @store_id
  and (s.starts_on between @first_day::date and @last_day::date or s.ends_on between @first_day::date and @last_day::date)
  and m.day between @first_day::date and @last_day::date
order by m.day, o.offer_id, m.start desc;
