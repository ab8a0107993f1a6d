-- What stores want to reach in a month. Rows are never changed: see migrations/0012_goals.sql.

-- name: InsertGoal :execrows
-- Pages are cached by the store's revision. No row if the principal can't see the store.
with changed as (
    update stores s set revision = s.revision + 1 where s.id = @store_id
    returning s.id
)
insert into goals (store_id, from_month, kind, amount, currency, set_by, set_at)
select changed.id, @from_month, @kind, @amount, @currency, @set_by, @set_at
from changed;

-- name: GoalHistory :many
-- Newest first.
select g.from_month, g.kind, g.amount, g.currency, g.set_at, coalesce(p.name, '')::text as set_by
from goals g
left join people p on p.id = g.set_by
where g.store_id = @store_id
order by g.id desc
limit @most::integer;

-- name: GoalsOfStores :many
-- The goal for a month of each store that has one, with the stored whole days up to a day, which its
-- pace is estimated from.
select
    g.store_id, g.from_month, g.kind, g.amount, g.currency, g.set_at,
    d.days::date[] as days, d.upsold_values::numeric[] as upsold_values, d.upsold_orders::bigint[] as upsold_orders,
    d.currencies::text[] as currencies, d.fetched::timestamptz[] as fetched, d.revised::boolean[] as revised
from (
    select unnest(@store_ids::bigint[]) as store_id, unnest(@months::date[]) as month, unnest(@last_days::date[]) as last_day
) w
cross join lateral (
    select *
    from goals
    where store_id = w.store_id and from_month <= w.month
    order by from_month desc, id desc
    limit 1
) g
cross join lateral (
    select
        coalesce(array_agg(s.window_start), '{}') as days,
        coalesce(array_agg(s.total_upsold_value), '{}') as upsold_values,
        coalesce(array_agg(s.total_upsold_orders), '{}') as upsold_orders,
        coalesce(array_agg(s.currency), '{}') as currencies,
        coalesce(array_agg(s.fetched_at), '{}') as fetched,
        coalesce(array_agg(s.revised_at is not null), '{}') as revised
    from (
        select window_start, total_upsold_value, total_upsold_orders, currency, fetched_at, revised_at
        from summaries
        where store_id = w.store_id and window_start between w.last_day - @days_before::integer and w.last_day
          and window_end = window_start and not partial
        order by window_start
    ) s
) d
where g.kind <> 'none';
