-- Thresholds of a store: what people want an alert of.

-- name: Thresholds :many
select t.id, t.metric, t.placement, t.kind, t.amount, t.currency, t.least_orders, t.set_at, coalesce(p.name, '')::text as set_by
from thresholds t
left join people p on p.id = t.set_by
where t.store_id = @store_id
order by t.id;

-- name: InsertThreshold :one
-- Each store has at most so many. The new revision has the store checked.
with room as (
    update stores s set revision = s.revision + 1
    where s.id = @store_id
      and (select count(*) from thresholds t where t.store_id = s.id) < @most::integer
    returning s.id
)
insert into thresholds (store_id, metric, placement, kind, amount, currency, least_orders, set_by, set_at)
select room.id, @metric, @placement, @kind, @amount, @currency, @least_orders, @set_by::bigint, @set_at
from room
returning id;

-- name: DeleteThreshold :one
-- Its alert is done at once; the check of the new revision closes it.
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
