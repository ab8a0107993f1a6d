-- The rows of the list of stores. What is shown for every store is one row each, read by key; numbers
-- are only read for stores that are sorted by them, added up, or shown. They are looked up store by
-- store: "offset 0" keeps the planner from reading the whole table in store order, which it considers
-- cheaper for many stores.

-- name: GroupsOfStores :many
-- Only groups with a store that the person may see are named.
select m.store_id, g.id, g.name
from group_stores m
join groups g on g.id = m.group_id
where m.store_id = any(@store_ids::bigint[])
order by m.store_id, lower(g.name);

-- name: TagsOfStores :many
select store_id, tag
from store_tags
where store_id = any(@store_ids::bigint[])
order by store_id, lower(tag), tag;

-- name: SummariesOfStores :many
-- The answers for exactly these windows, one per store.
select s.*
from (
    select unnest(@store_ids::bigint[]) as store_id, unnest(@starts::date[]) as first_day, unnest(@ends::date[]) as last_day
) w
cross join lateral (
    select *
    from summaries
    where store_id = w.store_id and window_start = w.first_day and window_end = w.last_day
    offset 0
) s;

-- name: SumsOfStores :many
-- The sum of the stored whole days in these windows. The days are listed if one is missing.
select
    w.store_id::bigint as store_id, w.first_day::date as first_day, w.last_day::date as last_day,
    d.days, d.kept::date[] as kept, d.currency, d.other_currency, d.total_upsold_value, d.total_upsold_orders, d.total_orders,
    d.offer_views, d.view_days, d.revised, d.fetched_at::timestamptz as fetched_at, d.fetched_last::timestamptz as fetched_last
from (
    select unnest(@store_ids::bigint[]) as store_id, unnest(@starts::date[]) as first_day, unnest(@ends::date[]) as last_day
) w
cross join lateral (
    select
        count(*)::integer as days,
        case when count(*) < w.last_day - w.first_day + 1 then array_agg(s.window_start order by s.window_start) else '{}' end as kept,
        coalesce(min(s.currency), '')::text as currency,
        coalesce(max(s.currency), '')::text as other_currency,
        coalesce(sum(s.total_upsold_value), 0)::numeric as total_upsold_value,
        coalesce(sum(s.total_upsold_orders), 0)::bigint as total_upsold_orders,
        coalesce(sum(s.total_orders), 0)::bigint as total_orders,
        coalesce(sum(s.offer_views), 0)::bigint as offer_views,
        count(s.offer_views)::integer as view_days,
        count(s.revised_at)::integer as revised,
        min(s.fetched_at) as fetched_at,
        max(s.fetched_at) as fetched_last
    from summaries s
    where s.store_id = w.store_id and s.window_start between w.first_day and w.last_day
      and s.window_end = s.window_start and not s.partial
) d
where d.days > 0;

-- name: DaysOfStores :many
-- For the sparklines: the value by day.
select s.store_id, s.window_start, s.total_upsold_value, s.currency
from (
    select unnest(@store_ids::bigint[]) as store_id, unnest(@starts::date[]) as first_day, unnest(@ends::date[]) as last_day
) w
cross join lateral (
    select *
    from summaries
    where store_id = w.store_id and window_start between w.first_day and w.last_day and window_end = window_start and not partial
    offset 0
) s
order by s.store_id, s.window_start;

-- name: GiftsOfStores :many
-- The answers for exactly these windows, and the newest for the same number of days, in case the two
-- services end on different days.
select g.*
from (
    select unnest(@store_ids::bigint[]) as store_id, unnest(@starts::date[]) as first_day, unnest(@ends::date[]) as last_day
) w
cross join lateral (
    select *
    from gift_windows
    where store_id = w.store_id
      and window_start between w.first_day - 2 and w.first_day + 2
      and window_end between w.last_day - 2 and w.last_day + 2
      and (asked_days = w.last_day - w.first_day + 1 or (window_start = w.first_day and window_end = w.last_day))
    offset 0
) g
order by g.store_id, g.window_end desc;

-- name: GiftDaysOfStores :many
-- For windows that were never answered as a whole.
select g.*
from (
    select unnest(@store_ids::bigint[]) as store_id, unnest(@starts::date[]) as first_day, unnest(@ends::date[]) as last_day
) w
cross join lateral (
    select *
    from gift_windows
    where store_id = w.store_id and window_start between w.first_day and w.last_day and window_end = window_start and not includes_today
      and not exists (
          select
          from gift_windows e
          where e.store_id = w.store_id and e.window_start = w.first_day and e.window_end = w.last_day and not e.includes_today
      )
    offset 0
) g
order by g.store_id, g.window_start;

-- name: PullsOfKinds :many
select *
from ledger
where store_id = any(@store_ids::bigint[]) and pull = any(@pulls::text[])
order by store_id, pull, subject;

-- name: ChecksOfStores :many
select c.*
from (
    select unnest(@store_ids::bigint[]) as store_id, unnest(@starts::date[]) as first_day, unnest(@ends::date[]) as last_day
) w
join window_checks c on c.store_id = w.store_id and c.window_start = w.first_day and c.window_end = w.last_day;

-- name: StoreNames :many
-- The names of stores, to search them or to choose one.
select slug, name, coalesce(domain, '')::text as domain, coalesce(currency, '')::text as currency
from stores
where (@every_store::boolean or id = any(@store_ids::bigint[])) and removed_at is null
order by lower(name), id;

-- name: OfferNames :many
-- The names of the store's offers, highest earners first.
select offer_id, name
from offers
where store_id = @store_id and not deleted
order by revenue desc nulls last, offer_id;
