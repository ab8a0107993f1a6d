-- Rankings of offers by revenue: one list for each window and end. The lowest end of a window only
-- counts along with the highest if it isn't more than an hour older.

-- name: ReplaceTopLists :exec
-- Lists and their rows; surplus rows of a longer earlier answer are deleted. If the list of highest
-- earners for a whole day or window changes, its earlier rows are kept in revisions.
with kept as (
    insert into revisions (store_id, pull, window_start, window_end, subject, earlier, seen_at, replaced_at)
    select e.store_id, 'top', e.window_start, e.window_end, e.direction, jsonb_build_object('offers', was.offers), e.fetched_at, t.fetched_at
    from jsonb_populate_recordset(null::top_lists, @lists::jsonb) as t
    cross join lateral (
        select * from top_lists l
        where l.store_id = @store_id and l.window_start = t.window_start and l.window_end = t.window_end and l.direction = t.direction
        limit 1
    ) as e
    cross join lateral (
        select coalesce(jsonb_agg(jsonb_build_object('offer_id', o.offer_id, 'revenue', o.revenue, 'claims', o.claims) order by o.offer_id), '[]') as offers
        from top_offers o
        where o.store_id = @store_id and o.window_start = e.window_start and o.window_end = e.window_end and o.direction = e.direction
    ) as was
    cross join lateral (
        select coalesce(jsonb_agg(jsonb_build_object('offer_id', n.offer_id, 'revenue', n.revenue, 'claims', n.claims) order by n.offer_id), '[]') as offers
        from jsonb_populate_recordset(null::top_offers, @rows::jsonb) as n
        where n.window_start = e.window_start and n.window_end = e.window_end and n.direction = e.direction
    ) as now_is
    where e.direction = 'highest' and not e.partial and e.fetched_at < t.fetched_at and e.row_limit = t.row_limit
      and was.offers <> now_is.offers
), list as (
    insert into top_lists as l (
        store_id, window_start, window_end, direction, row_limit, row_count, shop_offer_count, currency, source, partial, fetched_at
    )
    select
        @store_id, t.window_start, t.window_end, t.direction, t.row_limit, t.row_count, t.shop_offer_count, t.currency, t.source,
        t.partial, t.fetched_at
    from jsonb_populate_recordset(null::top_lists, @lists::jsonb) as t
    on conflict (store_id, window_start, window_end, direction) do update set
        row_limit = excluded.row_limit,
        row_count = excluded.row_count,
        shop_offer_count = excluded.shop_offer_count,
        currency = excluded.currency,
        source = excluded.source,
        partial = excluded.partial,
        whole = false,
        fetched_at = excluded.fetched_at
    where l.fetched_at <= excluded.fetched_at
    returning l.window_start, l.window_end, l.direction, l.row_count
), shorter as materialized (
    select list.window_start, list.window_end, list.direction, list.row_count
    from list
    cross join lateral (
        select e.row_count from top_lists e
        where e.store_id = @store_id and e.window_start = list.window_start and e.window_end = list.window_end and e.direction = list.direction
        limit 1
    ) as earlier
    where earlier.row_count > list.row_count
), gone as (
    delete from top_offers o
    using shorter s
    where o.store_id = @store_id and o.window_start = s.window_start and o.window_end = s.window_end
      and o.direction = s.direction and o.place > s.row_count
)
insert into top_offers (
    store_id, window_start, window_end, direction, place, offer_id, name, placement, status, ab_test,
    revenue, claims, acceptance_rate, deleted, url
)
select
    @store_id, t.window_start, t.window_end, t.direction, t.place, t.offer_id, t.name, t.placement, t.status, t.ab_test,
    t.revenue, t.claims, t.acceptance_rate, t.deleted, t.url
from jsonb_populate_recordset(null::top_offers, @rows::jsonb) as t
join list on list.window_start = t.window_start and list.window_end = t.window_end and list.direction = t.direction
on conflict (store_id, window_start, window_end, direction, place) do update set
    offer_id = excluded.offer_id,
    name = excluded.name,
    placement = excluded.placement,
    status = excluded.status,
    ab_test = excluded.ab_test,
    revenue = excluded.revenue,
    claims = excluded.claims,
    acceptance_rate = excluded.acceptance_rate,
    deleted = excluded.deleted,
    url = excluded.url;

-- name: ProveTopLists :exec
-- Finds the lists of the highest earners that include every offer that earned (N16, N68). The service's
-- maximum isn't documented, so even a list shorter than requested may be cut. It is complete if any of
-- these holds:
-- - it has fewer rows than the documented default of three;
-- - a list requested with the same limit around those days is longer, so its length isn't the maximum;
-- - its revenue equals that of each placement in the same window: a missing offer would be missing from
--   the sum;
-- - its smallest amount is below the largest of the lowest end, so that every earner is in one of the
--   two, and nothing moved between the two answers. Two ends that only touch prove nothing: another
--   offer may have earned the same amount.
with longest as (
    select m.row_limit, max(m.row_count) as row_count
    from top_lists m
    where m.store_id = @store_id
    group by m.row_limit
)
update top_lists h
set whole = true
where h.store_id = @store_id and not h.whole and h.direction = 'highest'
  and (
      h.row_count < 3
      or (
          h.row_count < h.row_limit
          and h.row_count < (select g.row_count from longest g where g.row_limit = h.row_limit)
          and exists (
              select
              from top_lists m
              where m.store_id = @store_id and m.row_limit = h.row_limit and m.row_count > h.row_count
                and m.fetched_at between h.fetched_at - interval '2 days' and h.fetched_at + interval '2 days'
          )
      )
      or (
          (h.window_start, h.window_end) in (select unnest(@starts::date[]), unnest(@ends::date[]))
          and (
              exists (
                  select
                  from (
                      select s.placement, s.revenue
                      from placement_stats s
                      where s.store_id = h.store_id and s.window_start = h.window_start and s.window_end = h.window_end
                        and s.currency = h.currency and s.revenue is not null
                        and s.fetched_at between h.fetched_at - interval '1 hour' and h.fetched_at + interval '1 hour'
                  ) stats
                  full join (
                      select t.placement, sum(t.revenue) as revenue
                      from top_offers t
                      where t.store_id = h.store_id and t.window_start = h.window_start and t.window_end = h.window_end
                        and t.direction = 'highest'
                      group by t.placement
                  ) ranked using (placement)
                  having count(stats.revenue) > 0 and bool_and(coalesce(stats.revenue, 0) = coalesce(ranked.revenue, 0))
              )
              or exists (
                  select
                  from top_lists l
                  cross join lateral (
                      select
                          min(o.highest) as least,
                          max(o.lowest) as greatest,
                          bool_or(
                              o.highest <> o.lowest
                              or o.highest_claims <> o.lowest_claims
                              or (o.highest is null and o.lowest > o.least)
                              or (o.lowest is null and o.highest < o.greatest)
                          ) as moved
                      from (
                          select
                              max(t.revenue) filter (where t.direction = 'highest') as highest,
                              max(t.revenue) filter (where t.direction = 'lowest') as lowest,
                              max(t.claims) filter (where t.direction = 'highest') as highest_claims,
                              max(t.claims) filter (where t.direction = 'lowest') as lowest_claims,
                              min(max(t.revenue) filter (where t.direction = 'highest')) over () as least,
                              max(max(t.revenue) filter (where t.direction = 'lowest')) over () as greatest
                          from top_offers t
                          where t.store_id = l.store_id and t.window_start = l.window_start and t.window_end = l.window_end
                          group by t.offer_id
                      ) o
                  ) ends
                  where l.store_id = h.store_id and l.window_start = h.window_start and l.window_end = h.window_end
                    and l.direction = 'lowest' and l.currency = h.currency
                    and l.fetched_at >= h.fetched_at - interval '1 hour'
                    and ends.least < ends.greatest and ends.moved is not true
              )
          )
      )
  );

-- name: AskLowestOfDays :exec
-- For a past day whose list may be incomplete, the other end is requested once per answer, after the
-- longer windows have had time to prove it. A refused one isn't requested again.
insert into ledger as l (store_id, pull, subject, service, due_at)
select h.store_id, 'top.day.lowest', h.window_start::text, 'upsell', h.fetched_at + interval '15 minutes'
from top_lists h
where h.store_id = @store_id and h.window_start = any(@days::date[]) and h.window_end = h.window_start
  and h.direction = 'highest' and not h.whole and not h.partial
  and not exists (
      select
      from top_lists o
      where o.store_id = h.store_id and o.window_start = h.window_start and o.window_end = h.window_end
        and o.direction = 'lowest' and o.fetched_at >= h.fetched_at - interval '1 hour'
  )
on conflict (store_id, pull, subject) do update set due_at = excluded.due_at
where l.outcome <> 'refused';

-- name: UnaskProvenDays :exec
-- Lists found to be complete in the meantime don't need the other end.
with whole as (
    select h.window_start::text as subject
    from top_lists h
    where h.store_id = @store_id and h.window_end = h.window_start and h.direction = 'highest' and h.whole
), untried as (
    delete from ledger l
    using whole
    where l.store_id = @store_id and l.pull = 'top.day.lowest' and l.subject = whole.subject and l.claim = 0
)
update ledger l
set due_at = null
from whole
where l.store_id = @store_id and l.pull = 'top.day.lowest' and l.subject = whole.subject and l.claim > 0 and l.due_at is not null;

-- name: RankingsOfDays :many
-- Both ends of each day's ranking in two windows, highest first.
select window_start as day, direction, currency, partial, whole, fetched_at
from top_lists
where store_id = @store_id
  and (
      window_start between @start::date and @finish::date
      or window_start between @against_start::date and @against_finish::date
  )
  and window_end = window_start
order by window_start, direction;

-- name: TopOfDays :many
-- What each offer earned over all the days of a window, if every day's ranking is complete and in one
-- currency, and the window's own ranking isn't complete; otherwise no row. Names and states come from
-- the inventory, or else from the last day that ranked the offer. A day is looked up as a range of one:
-- only then can the index of offers by day be used.
with days as materialized (
    select h.window_start as day, h.currency, h.fetched_at
    from top_lists h
    where h.store_id = @store_id
      and h.window_start between @first_day::date and @last_day::date
      and h.window_end = h.window_start and h.direction = 'highest' and h.whole and not h.partial
      and not exists (
          select
          from top_lists w
          where w.store_id = @store_id and w.window_start = @first_day::date and w.window_end = @last_day::date
            and w.direction = 'highest' and w.whole
      )
), lists as materialized (
    select l.window_start, l.window_end, l.direction
    from days d
    join top_lists l
        on l.store_id = @store_id and l.window_start = d.day and l.window_end = d.day
        and l.fetched_at >= d.fetched_at - interval '1 hour'
    where (select count(*) = sqlc.arg(last_day)::date - sqlc.arg(first_day)::date + 1 and min(a.currency) = max(a.currency) from days a)
), sums as (
    select
        t.offer_id, max(l.window_start)::date as last_day,
        coalesce(sum(t.revenue), 0) as revenue, count(t.revenue) = count(*) as has_revenue,
        coalesce(sum(t.claims), 0) as claims, count(t.claims) = count(*) as has_claims
    from lists l
    join top_offers t
        on t.store_id = @store_id and t.window_start = l.window_start and t.window_end = l.window_end and t.direction = l.direction
    where l.direction = 'highest'
       or not exists (
           select
           from top_offers h
           where h.store_id = @store_id and h.offer_id = t.offer_id
             and h.window_start between l.window_start and l.window_start and h.window_start = h.window_end
             and h.direction = 'highest'
       )
    group by t.offer_id
)
select
    s.offer_id, t.name, t.placement, t.status, t.ab_test,
    s.revenue::numeric as revenue, s.has_revenue::boolean as has_revenue, s.claims::bigint as claims, s.has_claims::boolean as has_claims,
    (t.deleted or coalesce(o.deleted, false))::boolean as deleted, t.url,
    coalesce(o.status, '')::text as inventory_status,
    o.revenue as inventory_revenue,
    coalesce(o.currency = (select min(d.currency) from days d), false)::boolean as same_currency
from sums s
cross join lateral (
    select n.name, n.placement, n.status, n.ab_test, n.deleted, n.url
    from top_offers n
    where n.store_id = @store_id and n.offer_id = s.offer_id
      and n.window_start between s.last_day and s.last_day and n.window_start = n.window_end
    limit 1
) as t
left join offers o on o.store_id = @store_id and o.offer_id = s.offer_id
order by s.revenue desc, s.offer_id;

-- name: RankingLimitTaken :one
-- Whether the service ever answered a ranking requested with the limit.
select exists (select from top_lists where store_id = @store_id and row_limit = @row_limit);

-- name: RankingLimitIgnored :one
-- Whether the service ignores the limit: it never returns more than the default of three rows, although
-- the two ends of a window have more offers between them.
select (not exists (select from top_lists m where m.store_id = @store_id and m.row_limit = @row_limit and m.row_count > 3)
    and exists (
        select
        from top_lists h
        join top_lists l
            on l.store_id = h.store_id and l.window_start = h.window_start and l.window_end = h.window_end and l.direction = 'lowest'
            and l.row_limit = h.row_limit and l.row_count = 3
        where h.store_id = @store_id and h.row_limit = @row_limit and h.direction = 'highest' and h.row_count = 3
          and (
              select count(distinct t.offer_id)
              from top_offers t
              where t.store_id = h.store_id and t.window_start = h.window_start and t.window_end = h.window_end
          ) > 3
    ))::boolean as ignored;

-- name: LearnRankingLimit :exec
update credentials set ranking_limit = @ranking_limit where id = @id;
