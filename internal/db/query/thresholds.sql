-- A store's thresholds: custom alerts that people set.

-- name: Thresholds :many
select
    t.id, t.metric, t.placement, t.offer_id, t.kind, t.amount, t.currency, t.least_orders, t.set_at,
    coalesce(p.name, '')::text as set_by, coalesce(o.name, '')::text as offer_name, coalesce(o.placement, '')::text as offer_placement
from thresholds t
left join people p on p.id = t.set_by
left join offers o on o.store_id = t.store_id and o.offer_id = t.offer_id
where t.store_id = @store_id
order by t.id;

-- name: WatchableOffers :many
-- The offers whose value can be watched: those that may sell, highest all-time earners first, preceded
-- by the requested one, whatever its state.
select o.offer_id, o.name, o.placement
from offers o
where o.store_id = @store_id and o.placement <> @coupon
  and (o.offer_id = @asked or (not o.deleted and o.unlisted_at is null and o.status <> 'expired'))
order by (o.offer_id = @asked) desc, o.revenue desc nulls last, o.offer_id
limit @most;

-- name: FirstDaysOfOffers :many
-- The first day with a ranking that has the offer: it isn't known to have existed before.
select t.offer_id, min(t.window_start)::date as day
from top_offers t
where t.store_id = @store_id and t.offer_id = any(@offer_ids::text[]) and t.window_start = t.window_end
group by t.offer_id;

-- name: InsertThreshold :one
-- The number per store is limited. The new revision triggers a check of the store.
with room as (
    update stores s set revision = s.revision + 1
    where s.id = @store_id
      and (select count(*) from thresholds t where t.store_id = s.id) < @most::integer
    returning s.id
)
insert into thresholds (store_id, metric, placement, offer_id, kind, amount, currency, least_orders, set_by, set_at)
select room.id, @metric, @placement, @offer_id, @kind, @amount, @currency, @least_orders, @set_by::bigint, @set_at
from room
returning id;

-- name: ThresholdIsRepeated :one
-- Whether the store has the threshold twice. Call it after the insert, which locks the store: then it
-- sees what a concurrent form has saved.
select exists (
    select 1
    from thresholds n
    join thresholds t on
        (t.store_id, t.metric, t.placement, t.offer_id, t.kind, t.amount, t.currency, t.least_orders) =
        (n.store_id, n.metric, n.placement, n.offer_id, n.kind, n.amount, n.currency, n.least_orders)
    where n.id = @id and t.id <> n.id
);

-- name: DeleteThreshold :one
-- Its alert is marked as done at once; the check of the new revision closes it.
with gone as (
    delete from thresholds t
    where t.store_id = @store_id and t.id = @id
    returning t.store_id, t.id
),
raised as (
    update stores s set revision = s.revision + 1
    from gone
    where s.id = gone.store_id
),
done as (
    update alerts a set done_at = @now::timestamptz, done_by = @person::bigint
    from gone
    where a.store_id = gone.store_id and a.rule = 'threshold' and a.subject = gone.id::text and a.closed_at is null and a.done_at is null
)
select count(*) from gone;
