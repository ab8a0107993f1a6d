-- Finds and heals days that changed after they were stored. A difference is the answer for a window
-- minus the sum of its stored days, as {"metric": amount}; metrics that agree are left out. A window is
-- only compared if all of its days are stored, whole, and in its currency.

-- name: SummaryDifferences :many
select w.window_start, w.window_end, w.fetched_at, jsonb_strip_nulls(jsonb_build_object(
    'value', nullif(w.total_upsold_value - d.value, 0),
    'orders', nullif(w.total_upsold_orders - d.orders, 0),
    'all orders', nullif(w.total_orders - d.all_orders, 0),
    'views', case when d.with_views = d.days then nullif(w.offer_views - d.views, 0) end
))::jsonb as difference
from summaries w
cross join lateral (
    select
        count(*) as days,
        sum(s.total_upsold_value) as value,
        sum(s.total_upsold_orders) as orders,
        sum(s.total_orders) as all_orders,
        sum(s.offer_views) as views,
        count(s.offer_views) as with_views
    from summaries s
    where s.store_id = w.store_id and s.window_start between w.window_start and w.window_end
      and s.window_end = s.window_start and not s.partial and s.currency = w.currency
) d
where w.store_id = @store_id and not w.partial
  and (w.window_start, w.window_end) in (select unnest(@starts::date[]), unnest(@ends::date[]))
  and d.days = w.window_end - w.window_start + 1;

-- name: StatDifferences :many
select w.window_start, w.window_end, min(w.fetched_at)::timestamptz as fetched_at,
    coalesce(jsonb_object_agg(w.placement || ' ' || m.metric, m.off) filter (where m.off <> 0), '{}')::jsonb as difference
from placement_stats w
cross join lateral (
    select count(*) as days, sum(s.impressions) as impressions, sum(s.claims) as claims, sum(s.revenue) as revenue, count(s.revenue) as priced
    from placement_stats s
    where s.store_id = w.store_id and s.window_start between w.window_start and w.window_end
      and s.window_end = s.window_start and s.placement = w.placement and not s.partial and s.currency = w.currency
) d
cross join lateral (
    select 'impressions' as metric, w.impressions - d.impressions as off
    union all
    select 'claims', w.claims - d.claims
    union all
    select 'revenue', case when d.priced = d.days then w.revenue - d.revenue end
) as m
where w.store_id = @store_id and not w.partial
  and (w.window_start, w.window_end) in (select unnest(@starts::date[]), unnest(@ends::date[]))
group by w.window_start, w.window_end
having bool_and(d.days = w.window_end - w.window_start + 1);

-- name: TopDifferences :many
-- Only complete rankings can be compared, by offer. A ranking that was requested to find a day is
-- complete if a longer window's ranking is and has all of its offers in one list of the same length. A
-- lowest end only counts if the highest isn't more than an hour newer.
with l as (
    select t.window_start, t.window_end, t.currency, t.fetched_at
    from top_lists t
    where t.store_id = @store_id and t.direction = 'highest' and not t.partial
      and (
          t.whole
          or exists (
              select
              from top_lists s
              where s.store_id = t.store_id and s.direction = 'highest' and s.whole and s.row_count >= t.row_count
                and s.window_start <= t.window_start and s.window_end >= t.window_end
                and s.row_count = (
                    select count(distinct o.offer_id)
                    from top_offers o
                    where o.store_id = s.store_id and o.window_start = s.window_start and o.window_end = s.window_end
                )
          )
      )
      and (t.window_start, t.window_end) in (select unnest(@starts::date[]), unnest(@ends::date[]))
      and t.window_end - t.window_start + 1 = (
          select count(*)
          from top_lists d
          where d.store_id = t.store_id and d.window_start between t.window_start and t.window_end and d.window_end = d.window_start
            and d.direction = 'highest' and d.whole and not d.partial and d.currency = t.currency
      )
)
select l.window_start, l.window_end, l.fetched_at,
    coalesce(jsonb_object_agg(o.offer_id || ' ' || o.metric, o.off) filter (where o.off <> 0), '{}')::jsonb as difference
from l
left join lateral (
    select coalesce(a.offer_id, b.offer_id) as offer_id, m.metric, m.off
    from (
        select distinct on (t.offer_id) t.offer_id, t.revenue, t.claims
        from top_offers t
        join top_lists e using (store_id, window_start, window_end, direction)
        where t.store_id = @store_id and t.window_start = l.window_start and t.window_end = l.window_end
          and e.fetched_at >= l.fetched_at - interval '1 hour'
        order by t.offer_id, t.direction
    ) a
    full join (
        select r.offer_id, sum(r.revenue) as revenue, sum(r.claims) as claims
        from (
            select distinct on (t.window_start, t.offer_id) t.offer_id, t.revenue, t.claims
            from top_offers t
            join top_lists e using (store_id, window_start, window_end, direction)
            join top_lists h on h.store_id = e.store_id and h.window_start = e.window_start and h.window_end = e.window_end and h.direction = 'highest'
            where t.store_id = @store_id and t.window_start between l.window_start and l.window_end and t.window_end = t.window_start
              and e.fetched_at >= h.fetched_at - interval '1 hour'
            order by t.window_start, t.offer_id, t.direction
        ) r
        group by r.offer_id
    ) b on b.offer_id = a.offer_id
    cross join lateral (
        select 'revenue' as metric, coalesce(a.revenue, 0) - coalesce(b.revenue, 0) as off
        union all
        select 'claims', coalesce(a.claims, 0) - coalesce(b.claims, 0)
    ) as m
) o on true
group by l.window_start, l.window_end, l.fetched_at;

-- name: NoteDifferences :exec
-- By how much a series' windows were found to differ. A known difference isn't reported again; one that
-- has disappeared is over.
with found as (
    select
        unnest(@first_days::date[]) as first_day, unnest(@last_days::date[]) as last_day,
        unnest(@noticed_ats::timestamptz[]) as noticed_at, unnest(@differences::jsonb[]) as difference
), over as (
    delete from suspect_days s
    where s.store_id = @store_id and s.service = 'upsell' and s.noticed_by = @series and s.difference is not null
      and case
          when @all_compared::boolean then not exists (
              select from found f where f.first_day = s.first_day and f.last_day = s.last_day and f.difference <> '{}'
          )
          else exists (
              select from found f where f.first_day = s.first_day and f.last_day = s.last_day and f.difference = '{}'
          )
      end
)
insert into suspect_days as s (store_id, service, first_day, last_day, noticed_by, noticed_at, difference)
select @store_id, 'upsell', f.first_day, f.last_day, @series, f.noticed_at, f.difference
from found f
where f.difference <> '{}'
on conflict (store_id, service, first_day, last_day, noticed_by) do update set
    noticed_at = excluded.noticed_at,
    difference = excluded.difference,
    unexplained = false
where s.difference is distinct from excluded.difference;

-- name: SuspectsOf :many
select * from suspect_days
where store_id = @store_id and service = @service
order by last_day - first_day, last_day desc, noticed_by;

-- name: LeaveUnexplained :exec
-- The days were pulled again and the difference is still there: the window itself is requested once
-- more, in case it's the older of the two.
with left_alone as (
    update suspect_days
    set unexplained = true
    where suspect_days.store_id = @store_id and service = 'upsell' and first_day = @first_day and last_day = @last_day and noticed_by = @series
)
update ledger
set due_at = now()
where ledger.store_id = @store_id and pull = any(@pulls::text[]) and applied_start = @first_day and applied_end = @last_day and due_at is not null;

-- name: AskDays :exec
-- Every kind of pull for these days is due now; the days are suspect until it's done.
with noted as (
    insert into suspect_days as s (store_id, service, first_day, last_day, noticed_by, noticed_at, asked_at)
    select @store_id, 'upsell', n.day::date, n.day::date, @noticed_by, @noticed_at, @at::timestamptz
    from unnest(@days::text[]) as n (day)
    on conflict (store_id, service, first_day, last_day, noticed_by) do update set asked_at = excluded.asked_at
)
insert into ledger as l (store_id, pull, subject, service, due_at)
select @store_id, p.pull, d.day, 'upsell', @at::timestamptz
from unnest(@pulls::text[]) as p (pull), unnest(@days::text[]) as d (day)
on conflict (store_id, pull, subject) do update set due_at = excluded.due_at
where l.outcome <> 'refused';

-- name: AskRanges :exec
insert into ledger as l (store_id, pull, subject, service, due_at)
select @store_id, @pull, unnest(@subjects::text[]), 'upsell', @at::timestamptz
on conflict (store_id, pull, subject) do update set due_at = excluded.due_at;

-- name: ForgetRanges :exec
-- Windows that were requested on an earlier night to find a day, once the search is over.
delete from ledger l
where l.store_id = @store_id and l.pull = any(@pulls::text[]) and (l.claimed_until is null or l.claimed_until < now())
  and coalesce(l.tried_at, l.wanted_at) < @before
  and not exists (select from suspect_days s where s.store_id = l.store_id and s.service = 'upsell' and not s.unexplained);

-- name: PullsOfSubjects :many
select * from ledger
where store_id = @store_id and pull = any(@pulls::text[]) and subject = any(@subjects::text[]);

-- name: HealedDay :exec
-- Every kind of pull for the day was done again. If the day changed, the gift service must check it
-- too: the same order may be in both.
with healed as (
    delete from suspect_days s
    where s.store_id = @store_id and s.service = 'upsell' and s.first_day = @day and s.last_day = @day and s.noticed_by = @noticed_by
    returning s.first_day, s.noticed_by, s.noticed_at
)
insert into suspect_days (store_id, service, first_day, last_day, noticed_by, noticed_at)
select @store_id, 'gift', h.first_day, h.first_day, 'upsell', h.noticed_at
from healed h
where h.noticed_by <> 'gift'
  and exists (select from credentials c where c.store_id = @store_id and c.service = 'gift')
  and exists (
      select from summaries s
      where s.store_id = @store_id and s.window_start = h.first_day and s.window_end = h.first_day and s.revised_at >= h.noticed_at
  )
on conflict do nothing;

-- name: FirstDay :one
select d.day::date as day from first_day(@store_id) d;

-- name: DropOutdatedWindows :exec
-- A longer window that was answered before one of its days changed may be wrong, and isn't requested
-- again once its dates have passed: from then on its days replace it. Nightly windows stay: they are
-- compared with their days.
with changed as materialized (
    select s.window_start as day, s.revised_at
    from summaries s
    where s.store_id = @store_id and s.window_end = s.window_start and s.window_start = any(@days::date[]) and s.revised_at = s.fetched_at
    union
    select p.window_start, p.revised_at
    from placement_stats p
    where p.store_id = @store_id and p.window_end = p.window_start and p.window_start = any(@days::date[]) and p.revised_at = p.fetched_at
), kept as materialized (
    select unnest(@starts::date[]) as first_day, unnest(@ends::date[]) as last_day
), summary as (
    delete from summaries w
    using changed c
    where w.store_id = @store_id and w.window_start <= c.day and w.window_end >= c.day and w.window_end > w.window_start
      and w.fetched_at < c.revised_at and (w.window_start, w.window_end) not in (select k.first_day, k.last_day from kept k)
), stats as (
    delete from placement_stats w
    using changed c
    where w.store_id = @store_id and w.window_start <= c.day and w.window_end >= c.day and w.window_end > w.window_start
      and w.fetched_at < c.revised_at and (w.window_start, w.window_end) not in (select k.first_day, k.last_day from kept k)
), lists as (
    delete from top_lists w
    using changed c
    where w.store_id = @store_id and w.window_start <= c.day and w.window_end >= c.day and w.window_end > w.window_start
      and w.fetched_at < c.revised_at and (w.window_start, w.window_end) not in (select k.first_day, k.last_day from kept k)
    returning w.window_start, w.window_end, w.direction
)
delete from top_offers o
using lists l
where o.store_id = @store_id and o.window_start = l.window_start and o.window_end = l.window_end and o.direction = l.direction;
