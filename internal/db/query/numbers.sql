-- Every statement sets a value for its key; none adds to one. An older reply never replaces a newer
-- one. When a whole day or window changes, its earlier value is kept in revisions.
--
-- Each connection plans a statement only once, possibly while a table is still empty. What many pulls
-- write is therefore looked up row by row ("limit 1"): a join might be planned as a scan of all the
-- store's rows, and stay that way when there are many.

-- name: UpsertSummaries :exec
with kept as (
    insert into revisions (store_id, pull, window_start, window_end, earlier, seen_at, replaced_at)
    select e.store_id, 'summary', e.window_start, e.window_end, to_jsonb(e), e.fetched_at, t.fetched_at
    from jsonb_populate_recordset(null::summaries, @rows::jsonb) as t
    cross join lateral (
        select * from summaries s
        where s.store_id = @store_id and s.window_start = t.window_start and s.window_end = t.window_end
        limit 1
    ) as e
    where not e.partial
      and e.fetched_at < t.fetched_at
      and (e.total_upsold_value, e.total_upsold_orders, e.total_orders, e.offer_views, e.currency)
          is distinct from (t.total_upsold_value, t.total_upsold_orders, t.total_orders, t.offer_views, t.currency)
    returning window_start, window_end, replaced_at
)
insert into summaries as s (
    store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders,
    upsell_success_rate, average_upsold_value, offer_views, currency, source, asked_start, asked_end,
    partial, flags, fetched_at, revised_at
)
select
    @store_id, t.window_start, t.window_end, t.total_upsold_value, t.total_upsold_orders, t.total_orders,
    t.upsell_success_rate, t.average_upsold_value, t.offer_views, t.currency, t.source, t.asked_start, t.asked_end,
    t.partial, t.flags, t.fetched_at, k.replaced_at
from jsonb_populate_recordset(null::summaries, @rows::jsonb) as t
left join kept k on k.window_start = t.window_start and k.window_end = t.window_end
on conflict (store_id, window_start, window_end) do update set
    total_upsold_value = excluded.total_upsold_value,
    total_upsold_orders = excluded.total_upsold_orders,
    total_orders = excluded.total_orders,
    upsell_success_rate = excluded.upsell_success_rate,
    average_upsold_value = excluded.average_upsold_value,
    offer_views = excluded.offer_views,
    currency = excluded.currency,
    source = excluded.source,
    asked_start = excluded.asked_start,
    asked_end = excluded.asked_end,
    partial = excluded.partial,
    flags = excluded.flags,
    fetched_at = excluded.fetched_at,
    revised_at = coalesce(excluded.revised_at, s.revised_at)
where s.fetched_at <= excluded.fetched_at;

-- name: UpsertPlacementStats :exec
with kept as (
    insert into revisions (store_id, pull, window_start, window_end, subject, earlier, seen_at, replaced_at)
    select e.store_id, 'stats', e.window_start, e.window_end, e.placement, to_jsonb(e), e.fetched_at, t.fetched_at
    from jsonb_populate_recordset(null::placement_stats, @rows::jsonb) as t
    cross join lateral (
        select * from placement_stats s
        where s.store_id = @store_id and s.window_start = t.window_start and s.window_end = t.window_end and s.placement = t.placement
        limit 1
    ) as e
    where not e.partial
      and e.fetched_at < t.fetched_at
      and (e.impressions, e.claims, e.revenue, e.currency) is distinct from (t.impressions, t.claims, t.revenue, t.currency)
    returning window_start, window_end, subject, replaced_at
)
insert into placement_stats as s (
    store_id, window_start, window_end, placement, impressions, claims, revenue, currency,
    shop_offer_count, source, partial, position, fetched_at, revised_at
)
select
    @store_id, t.window_start, t.window_end, t.placement, t.impressions, t.claims, t.revenue, t.currency,
    t.shop_offer_count, t.source, t.partial, t.position, t.fetched_at, k.replaced_at
from jsonb_populate_recordset(null::placement_stats, @rows::jsonb) as t
left join kept k on k.window_start = t.window_start and k.window_end = t.window_end and k.subject = t.placement
on conflict (store_id, window_start, window_end, placement) do update set
    impressions = excluded.impressions,
    claims = excluded.claims,
    revenue = excluded.revenue,
    currency = excluded.currency,
    shop_offer_count = excluded.shop_offer_count,
    source = excluded.source,
    partial = excluded.partial,
    position = excluded.position,
    fetched_at = excluded.fetched_at,
    revised_at = coalesce(excluded.revised_at, s.revised_at)
where s.fetched_at <= excluded.fetched_at;

-- name: ReplaceCoverage :exec
with gone as (
    delete from coverage c
    where c.store_id = @store_id and c.fetched_at <= @fetched_at
      and not @rows::jsonb @> jsonb_build_array(jsonb_build_object('placement', c.placement))
)
insert into coverage as c (
    store_id, placement, has_active, active_count, total_count, recent_revenue, currency,
    window_start, window_end, source, position, fetched_at
)
select
    @store_id, r.placement, r.has_active, r.active_count, r.total_count, r.recent_revenue, @currency,
    r.window_start, r.window_end, @source, r.position, @fetched_at
from jsonb_populate_recordset(null::coverage, @rows::jsonb) as r
where not exists (select from coverage n where n.store_id = @store_id and n.fetched_at > @fetched_at)
on conflict (store_id, placement) do update set
    has_active = excluded.has_active,
    active_count = excluded.active_count,
    total_count = excluded.total_count,
    recent_revenue = excluded.recent_revenue,
    currency = excluded.currency,
    window_start = excluded.window_start,
    window_end = excluded.window_end,
    source = excluded.source,
    position = excluded.position,
    fetched_at = excluded.fetched_at
where c.fetched_at <= excluded.fetched_at;

-- name: UpsertLifetime :exec
insert into lifetimes as l (
    store_id, total_revenue, offer_views, upsold_orders, conversion_rate, revenue_per_visit, currency, flags, fetched_at
) values (
    @store_id, @total_revenue, @offer_views, @upsold_orders, sqlc.narg(conversion_rate)::numeric,
    sqlc.narg(revenue_per_visit)::numeric, @currency, @flags, @fetched_at
)
on conflict (store_id) do update set
    total_revenue = excluded.total_revenue,
    offer_views = excluded.offer_views,
    upsold_orders = excluded.upsold_orders,
    conversion_rate = excluded.conversion_rate,
    revenue_per_visit = excluded.revenue_per_visit,
    currency = excluded.currency,
    flags = excluded.flags,
    fetched_at = excluded.fetched_at
where l.fetched_at <= excluded.fetched_at;

-- name: ReplaceOfferCounts :exec
with gone as (
    delete from offer_counts c
    where c.store_id = @store_id and c.fetched_at <= @fetched_at
      and not @rows::jsonb @> jsonb_build_array(jsonb_build_object('placement', c.placement))
)
insert into offer_counts as c (store_id, placement, total, active, scheduled, expired, position, fetched_at)
select @store_id, r.placement, r.total, r.active, r.scheduled, r.expired, r.position, @fetched_at
from jsonb_populate_recordset(null::offer_counts, @rows::jsonb) as r
where not exists (select from offer_counts n where n.store_id = @store_id and n.fetched_at > @fetched_at)
on conflict (store_id, placement) do update set
    total = excluded.total,
    active = excluded.active,
    scheduled = excluded.scheduled,
    expired = excluded.expired,
    position = excluded.position,
    fetched_at = excluded.fetched_at
where c.fetched_at <= excluded.fetched_at;

-- name: CheckWindow :exec
-- Compares the reported window with the sum of its stored days, unless it's partial. Days fetched
-- before the window may lag behind it: drift is a finding, not an error.
insert into window_checks as c (
    store_id, window_start, window_end, reported_value, stitched_value, reported_orders, stitched_orders,
    days_stored, days_missing, agrees, checked_at
)
select
    w.store_id, w.window_start, w.window_end, w.total_upsold_value, d.value, w.total_upsold_orders, d.orders,
    d.days, w.window_end - w.window_start + 1 - d.days,
    w.window_end - w.window_start + 1 = d.days and w.total_upsold_value = d.value and w.total_upsold_orders = d.orders,
    now()
from summaries w
cross join lateral (
    select
        coalesce(sum(s.total_upsold_value), 0) as value,
        coalesce(sum(s.total_upsold_orders), 0)::bigint as orders,
        count(*)::integer as days
    from summaries s
    where s.store_id = w.store_id and s.window_start between w.window_start and w.window_end
      and s.window_start = s.window_end and not s.partial and s.currency = w.currency
) d
where w.store_id = @store_id and w.window_start = @window_start and w.window_end = @window_end and not w.partial
on conflict (store_id, window_start, window_end) do update set
    reported_value = excluded.reported_value,
    stitched_value = excluded.stitched_value,
    reported_orders = excluded.reported_orders,
    stitched_orders = excluded.stitched_orders,
    days_stored = excluded.days_stored,
    days_missing = excluded.days_missing,
    agrees = excluded.agrees,
    checked_at = excluded.checked_at;
