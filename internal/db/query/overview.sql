-- The rows of one overview, each read by key, all in one round trip.

-- name: CredentialStates :many
select store_id, service, host, state, paused_cause, paused_said, paused_at, next_probe_at, outage_since, token_tail
from credentials
where store_id = any(@store_ids::bigint[])
order by store_id, service desc;

-- name: SummaryDays :many
-- The days of both windows, and today.
select window_start, total_upsold_value, total_upsold_orders, total_orders, offer_views, currency, partial, fetched_at,
    (revised_at is not null)::boolean as revised
from summaries
where store_id = @store_id
  and window_end = window_start
  and (
      window_start between @start::date and @finish::date
      or window_start between @against_start::date and @against_finish::date
      or window_start = @today::date
  )
order by window_start;

-- name: StatsOfWindows :many
select * from placement_stats
where store_id = @store_id
  and (
      (window_start = @start::date and window_end = @finish::date)
      or (window_start = @against_start::date and window_end = @against_finish::date)
  )
order by position;

-- name: StatDays :many
-- The days of both windows.
select d.window_start, d.placement, d.impressions, d.claims, d.revenue, d.currency, d.partial, d.fetched_at,
    (d.revised_at is not null)::boolean as revised
from placement_stats d
where d.store_id = @store_id
  and d.window_end = d.window_start
  and (
      d.window_start between @start::date and @finish::date
      or d.window_start between @against_start::date and @against_finish::date
  )
order by d.window_start, d.position;

-- name: TopListsOfWindows :many
select * from top_lists
where store_id = @store_id
  and (
      (window_start = @start::date and window_end = @finish::date)
      or (window_start = @against_start::date and window_end = @against_finish::date)
  );

-- name: TopOffersOfWindows :many
-- A window's revenue next to the inventory row: its current status, and its all-time revenue, which
-- only counts if it's in the ranking's currency (N12, N34).
select
    t.window_start, t.window_end, t.direction, t.offer_id, t.name, t.placement, t.status, t.ab_test, t.revenue, t.claims,
    t.acceptance_rate, t.deleted, t.url,
    coalesce(o.status, '')::text as inventory_status,
    o.revenue as inventory_revenue,
    o.currency as inventory_currency
from top_offers t
left join offers o on o.store_id = t.store_id and o.offer_id = t.offer_id
where t.store_id = @store_id
  and (
      (t.window_start = @start::date and t.window_end = @finish::date)
      or (t.window_start = @against_start::date and t.window_end = @against_finish::date)
  )
order by t.place;

-- name: CoverageRows :many
select * from coverage where store_id = any(@store_ids::bigint[]) order by store_id, position;

-- name: LifetimeRow :many
select total_revenue, offer_views, upsold_orders, currency, flags, fetched_at from lifetimes where store_id = @store_id;

-- name: OfferCountRows :many
select * from offer_counts where store_id = @store_id order by position;

-- name: GiftWindows :many
-- The answer for exactly the window, and the newest for that number of days, if any, in case the two
-- services end on different days. The limit on its end is for both: so the index alone rules out the rest.
select * from gift_windows
where store_id = @store_id
  and ((window_start = @start::date and window_end = @finish::date) or asked_days = @days::integer)
  and window_end between sqlc.arg(finish)::date - 2 and sqlc.arg(finish)::date + 2
order by window_end desc;

-- name: GiftDayRows :many
select * from gift_windows
where store_id = @store_id
  and (
      window_start between @start::date and @finish::date
      or window_start between @against_start::date and @against_finish::date
  )
  and window_end = window_start
  and not includes_today
order by window_start;

-- name: GiftHealthRows :many
select section, body, fetched_at from gift_health where store_id = @store_id order by section;

-- name: GiftPlanRow :many
select body, fetched_at from gift_plans where store_id = @store_id;

-- name: CampaignRows :many
-- All, or the one with that id.
select *
from gift_campaigns
where store_id = @store_id and @campaign_id::text in ('', campaign_id)
order by last_listed_at desc, position
limit 200;

-- name: CampaignListRow :many
select total, capped, fetched_at from gift_campaign_lists where store_id = @store_id;

-- name: PullStates :many
-- Every pull except those for one past day or one offer, plus failed ones for a day or a campaign. The
-- index ledger_shown covers exactly these rows: change both together.
select * from ledger
where store_id = @store_id
  and pull not in ('offer.setup', 'offer.stages', 'offer.recommendations')
  and (pull not in ('summary.day', 'stats.day', 'top.day', 'top.day.lowest', 'gift.span', 'gift.campaign') or outcome not in ('good', 'never'))
order by pull, subject;

-- name: SuspectDays :many
select store_id, service, first_day, last_day, noticed_at, unexplained
from suspect_days
where store_id = any(@store_ids::bigint[])
order by store_id, service, first_day, last_day;

-- name: NewestPull :one
-- The stored days are as old as the upsell service's newest answer: gift data that still arrives
-- doesn't make them newer.
select coalesce(
    (select max(u.last_good_at) from ledger u where u.store_id = @store_id and u.service = 'upsell'),
    (select max(g.last_good_at) from ledger g where g.store_id = @store_id and g.service = 'gift'),
    '0001-01-01 00:00:00+00'
)::timestamptz as pulled_at;

-- name: LedgerRows :many
select * from ledger where store_id = @store_id order by service desc, pull, subject desc;

-- name: KeptDays :many
-- The whole days stored since a day.
select window_start as day, (revised_at is not null)::boolean as revised
from summaries
where store_id = @store_id and window_start >= @since::date and window_end = window_start and not partial
order by window_start;

-- name: RecentChecks :many
-- Windows that end last come first: the previous 30 days aren't "30 days".
select * from window_checks
where store_id = @store_id
order by window_end desc, checked_at desc
limit 6;
