-- The gift service's answers. Every statement sets a value for its key; none adds to one. An older
-- reply never replaces a newer one.

-- name: UpsertGiftWindow :exec
-- A reported answer. It replaces a derived one unless that is a later correction. begun_at is null for
-- an answer from the service's cache, which proves nothing new (N49). A day that changed is also pulled
-- again from the other service (N61).
with earlier as (
    select * from gift_windows g
    where g.store_id = @store_id and g.window_start = @window_start and g.window_end = @window_end
      and g.includes_today = @includes_today
), kept as (
    insert into revisions (store_id, pull, window_start, window_end, earlier, seen_at, replaced_at)
    select e.store_id, 'gift', e.window_start, e.window_end, to_jsonb(e), e.fetched_at, @fetched_at
    from earlier e
    where not e.includes_today and e.basis = 'reported'
      and e.fetched_at < @fetched_at
      and (e.orders, e.revenue, e.conversion_rate, e.currency)
          is distinct from (sqlc.narg(orders)::numeric, sqlc.narg(revenue)::numeric, sqlc.narg(conversion_rate)::numeric, @currency::text)
    returning 1
), moved as (
    insert into suspect_days (store_id, service, first_day, last_day, noticed_by, noticed_at)
    select e.store_id, 'upsell', e.window_start, e.window_end, 'gift', @fetched_at
    from earlier e
    where not e.includes_today and e.window_start = e.window_end and e.proven_at is not null
      and e.fetched_at < @fetched_at
      and (e.orders, e.revenue) is distinct from (sqlc.narg(orders)::numeric, sqlc.narg(revenue)::numeric)
    on conflict (store_id, service, first_day, last_day, noticed_by) do update set
        noticed_at = excluded.noticed_at, difference = null, unexplained = false
)
insert into gift_windows as g (
    store_id, window_start, window_end, includes_today, asked_days, timezone, currency, cached,
    orders, orders_previous, orders_change, revenue, revenue_previous, revenue_change,
    conversion_rate, conversion_rate_previous, conversion_rate_change, conversion_rate_unit,
    aov_by_fg, aov_by_fg_previous, aov_by_fg_change, aov_store, aov_store_previous, aov_store_change,
    flags, fetched_at, revised_at, begun_at, same_since, proven_at
) values (
    @store_id, @window_start, @window_end, @includes_today, @asked_days, @timezone, @currency, @cached,
    sqlc.narg(orders)::numeric, sqlc.narg(orders_previous)::numeric, sqlc.narg(orders_change)::numeric,
    sqlc.narg(revenue)::numeric, sqlc.narg(revenue_previous)::numeric, sqlc.narg(revenue_change)::numeric,
    sqlc.narg(conversion_rate)::numeric, sqlc.narg(conversion_rate_previous)::numeric, sqlc.narg(conversion_rate_change)::numeric,
    @conversion_rate_unit,
    sqlc.narg(aov_by_fg)::numeric, sqlc.narg(aov_by_fg_previous)::numeric, sqlc.narg(aov_by_fg_change)::numeric,
    sqlc.narg(aov_store)::numeric, sqlc.narg(aov_store_previous)::numeric, sqlc.narg(aov_store_change)::numeric,
    @flags, @fetched_at, (select @fetched_at from kept),
    sqlc.narg(begun_at), case when sqlc.narg(begun_at)::timestamptz is not null then @fetched_at end, @proven_at::timestamptz
)
on conflict (store_id, window_start, window_end, includes_today) do update set
    basis = excluded.basis,
    asked_days = excluded.asked_days,
    timezone = excluded.timezone,
    currency = excluded.currency,
    cached = excluded.cached,
    orders = excluded.orders,
    orders_previous = excluded.orders_previous,
    orders_change = excluded.orders_change,
    revenue = excluded.revenue,
    revenue_previous = excluded.revenue_previous,
    revenue_change = excluded.revenue_change,
    conversion_rate = excluded.conversion_rate,
    conversion_rate_previous = excluded.conversion_rate_previous,
    conversion_rate_change = excluded.conversion_rate_change,
    conversion_rate_unit = excluded.conversion_rate_unit,
    aov_by_fg = excluded.aov_by_fg,
    aov_by_fg_previous = excluded.aov_by_fg_previous,
    aov_by_fg_change = excluded.aov_by_fg_change,
    aov_store = excluded.aov_store,
    aov_store_previous = excluded.aov_store_previous,
    aov_store_change = excluded.aov_store_change,
    flags = excluded.flags,
    fetched_at = excluded.fetched_at,
    revised_at = coalesce(excluded.revised_at, g.revised_at),
    (begun_at, same_since) = (
        select
            coalesce(excluded.begun_at, case when x.same then g.begun_at end),
            coalesce(case when x.same then g.same_since end, excluded.same_since)
        from (
            select (g.orders, g.orders_previous, g.revenue, g.revenue_previous, g.currency, g.timezone, g.asked_days)
                is not distinct from (
                    excluded.orders, excluded.orders_previous, excluded.revenue, excluded.revenue_previous,
                    excluded.currency, excluded.timezone, excluded.asked_days
                ) as same
        ) as x
    ),
    proven_at = case
        when (g.orders, g.revenue) is not distinct from (excluded.orders, excluded.revenue)
        then greatest(g.proven_at, excluded.proven_at)
        else excluded.proven_at
    end
where (g.basis <> 'reported' and g.revised_at is null) or g.fetched_at <= excluded.fetched_at;

-- name: UpsertGiftHealth :exec
insert into gift_health as h (store_id, section, body, fetched_at)
values (@store_id, @section, @body, @fetched_at)
on conflict (store_id, section) do update set body = excluded.body, fetched_at = excluded.fetched_at
where h.fetched_at <= excluded.fetched_at;

-- name: UpsertGiftPlan :exec
insert into gift_plans as p (store_id, body, fetched_at)
values (@store_id, @body, @fetched_at)
on conflict (store_id) do update set body = excluded.body, fetched_at = excluded.fetched_at, doubted = false
where p.fetched_at <= excluded.fetched_at;

-- name: UpsertGiftPlanDay :exec
insert into gift_plan_days as p (store_id, day, body, fetched_at)
values (@store_id, @day, @body, @fetched_at)
on conflict (store_id, day) do update set body = excluded.body, fetched_at = excluded.fetched_at
where p.fetched_at <= excluded.fetched_at;

-- name: UpsertCampaigns :exec
-- The details of a new or changed campaign are requested right away.
with list as (
    insert into gift_campaign_lists as l (store_id, total, capped, fetched_at)
    values (@store_id, @total, @capped, @fetched_at)
    on conflict (store_id) do update set total = excluded.total, capped = excluded.capped, fetched_at = excluded.fetched_at
    where l.fetched_at <= excluded.fetched_at
), asked as (
    insert into ledger (store_id, pull, subject, service, due_at)
    select @store_id, 'gift.campaign', r.campaign_id, 'gift', @fetched_at
    from jsonb_populate_recordset(null::gift_campaigns, @rows::jsonb) as r
    left join gift_campaigns c on c.store_id = @store_id and c.campaign_id = r.campaign_id
    where c.campaign_id is null
       or (
           c.last_listed_at <= @fetched_at
           and (c.name, c.status, c.type, c.target_page, c.start_date, c.end_date, c.code)
               is distinct from (r.name, r.status, r.type, r.target_page, r.start_date, r.end_date, r.code)
       )
    on conflict (store_id, pull, subject) do update set due_at = excluded.due_at
)
insert into gift_campaigns as c (
    store_id, campaign_id, name, status, type, target_page, start_date, end_date, code, position, first_seen_at, last_listed_at
)
select
    @store_id, r.campaign_id, r.name, r.status, r.type, r.target_page, r.start_date, r.end_date,
    r.code, r.position, @fetched_at, @fetched_at
from jsonb_populate_recordset(null::gift_campaigns, @rows::jsonb) as r
on conflict (store_id, campaign_id) do update set
    name = excluded.name,
    status = excluded.status,
    type = excluded.type,
    target_page = excluded.target_page,
    start_date = excluded.start_date,
    end_date = excluded.end_date,
    code = excluded.code,
    position = excluded.position,
    last_listed_at = excluded.last_listed_at
where c.last_listed_at <= excluded.last_listed_at;

-- name: TrustedGiftPlan :many
-- The plan as last answered, unless someone has connected or resumed the store since.
select body from gift_plans where store_id = @store_id and not doubted;

-- name: UpsertCampaignConfig :exec
insert into gift_campaign_configs as c (store_id, campaign_id, found, body, fetched_at)
values (@store_id, @campaign_id, @found, @body, @fetched_at)
on conflict (store_id, campaign_id) do update set found = excluded.found, body = excluded.body, fetched_at = excluded.fetched_at
where c.fetched_at <= excluded.fetched_at;

-- name: UpsertWidgets :exec
-- Widget types as listed. The settings of listed ones are kept up to date; those of types that are no
-- longer listed stay as they are.
with asked as (
    insert into ledger as l (store_id, pull, subject, service, due_at)
    select @store_id, 'gift.widget', r.type, 'gift', @fetched_at
    from jsonb_populate_recordset(null::gift_widgets, @rows::jsonb) as r
    where not exists (select from gift_widgets n where n.store_id = @store_id and n.last_listed_at > @fetched_at)
    on conflict (store_id, pull, subject) do update set due_at = excluded.due_at
    where l.due_at is null and l.outcome <> 'refused'
), settled as (
    update ledger l
    set due_at = null
    where l.store_id = @store_id and l.pull = 'gift.widget' and l.due_at is not null
      and not @rows::jsonb @> jsonb_build_array(jsonb_build_object('type', l.subject))
      and not exists (select from gift_widgets n where n.store_id = @store_id and n.last_listed_at > @fetched_at)
)
insert into gift_widgets as w (store_id, type, title, is_premium, is_locked, position, first_seen_at, last_listed_at)
select @store_id, r.type, r.title, r.is_premium, r.is_locked, r.position, @fetched_at, @fetched_at
from jsonb_populate_recordset(null::gift_widgets, @rows::jsonb) as r
on conflict (store_id, type) do update set
    title = excluded.title,
    is_premium = excluded.is_premium,
    is_locked = excluded.is_locked,
    position = excluded.position,
    last_listed_at = excluded.last_listed_at
where w.last_listed_at <= excluded.last_listed_at;

-- name: UpsertWidgetSettings :exec
insert into gift_widget_settings as w (store_id, type, found, body, fetched_at)
values (@store_id, @type, @found, @body, @fetched_at)
on conflict (store_id, type) do update set found = excluded.found, body = excluded.body, fetched_at = excluded.fetched_at
where w.fetched_at <= excluded.fetched_at;

-- name: UpsertTranslations :exec
insert into gift_translations as t (store_id, locale, found, active_languages, total_strings, body, fetched_at)
values (@store_id, @locale, @found, @active_languages, @total_strings, @body, @fetched_at)
on conflict (store_id, locale) do update set
    found = excluded.found,
    active_languages = excluded.active_languages,
    total_strings = excluded.total_strings,
    body = excluded.body,
    fetched_at = excluded.fetched_at
where t.fetched_at <= excluded.fetched_at;

-- name: AskLanguages :exec
-- One pull for each active language (N58). A language that is no longer active isn't pulled, but its
-- data stays. If two replies disagree about which are active, each would revive what the other ends, so
-- a language that was just pulled waits.
with asked as (
    insert into ledger as l (store_id, pull, subject, service, due_at)
    select @store_id, 'gift.translations', unnest(@languages::text[]), 'gift', @at::timestamptz
    on conflict (store_id, pull, subject) do update set due_at = excluded.due_at
    where l.due_at is null and l.outcome <> 'refused' and (l.tried_at is null or l.tried_at < sqlc.arg(at)::timestamptz - interval '12 hours')
)
update ledger l
set due_at = null
where l.store_id = @store_id and l.pull = 'gift.translations' and l.due_at is not null and l.subject <> all(@languages::text[]);

-- name: UpsertGiftSettings :exec
insert into gift_settings as s (store_id, found, body, fetched_at)
values (@store_id, @found, @body, @fetched_at)
on conflict (store_id) do update set found = excluded.found, body = excluded.body, fetched_at = excluded.fetched_at
where s.fetched_at <= excluded.fetched_at;

-- name: GiftPlanDays :many
select body, fetched_at from gift_plan_days
where store_id = @store_id and day between @first_day::date and @last_day::date
order by day;

-- name: CampaignConfig :many
select found, body, fetched_at from gift_campaign_configs where store_id = @store_id and campaign_id = @campaign_id;

-- name: WidgetRows :many
-- Widget types with their stored settings; body is null before the first pull of those.
select w.*, s.found, s.body, s.fetched_at
from gift_widgets w
left join gift_widget_settings s on s.store_id = w.store_id and s.type = w.type
where w.store_id = @store_id
order by w.last_listed_at desc, w.position;

-- name: TranslationRows :many
select * from gift_translations where store_id = @store_id order by locale;

-- name: GiftSettingsRow :many
select found, body, fetched_at from gift_settings where store_id = @store_id;

-- name: GiftSeries :many
-- What days can be derived from: the days since the first one needed, the windows that ended recently,
-- and today's.
select * from gift_windows
where store_id = @store_id
  and (window_end >= @ends_since::date or (window_start = window_end and window_start >= @first_day::date))
order by window_start;

-- name: TellDays :exec
-- Days derived from other windows. A proven day replaces an unproven or an older one, whose value is
-- kept with the time it was seen; an unproven day only replaces another unproven one. A changed day is
-- also pulled again from the other service (N61).
with moved as (
    select g.*
    from jsonb_populate_recordset(null::gift_windows, @rows::jsonb) as t
    join gift_windows g on g.store_id = @store_id and g.window_start = t.window_start and g.window_end = t.window_start and not g.includes_today
    where t.proven_at is not null and g.proven_at is not null and g.fetched_at < t.fetched_at
      and (g.orders, g.revenue, g.currency) is distinct from (t.orders, t.revenue, t.currency)
), kept as (
    insert into revisions (store_id, pull, window_start, window_end, earlier, seen_at, replaced_at)
    select m.store_id, 'gift', m.window_start, m.window_end, to_jsonb(m), m.fetched_at, @noticed_at
    from moved m
), other as (
    insert into suspect_days (store_id, service, first_day, last_day, noticed_by, noticed_at)
    select m.store_id, 'upsell', m.window_start, m.window_end, 'gift', @noticed_at
    from moved m
    on conflict (store_id, service, first_day, last_day, noticed_by) do update set
        noticed_at = excluded.noticed_at, difference = null, unexplained = false
)
insert into gift_windows as g (
    store_id, window_start, window_end, includes_today, asked_days, timezone, currency, cached,
    orders, revenue, conversion_rate, conversion_rate_unit, aov_by_fg, aov_store, fetched_at, basis, proven_at, revised_at
)
select
    @store_id, t.window_start, t.window_start, false, 1, t.timezone, t.currency, false,
    t.orders, t.revenue, t.conversion_rate, coalesce(t.conversion_rate_unit, ''), t.aov_by_fg, t.aov_store, t.fetched_at, t.basis, t.proven_at,
    case when exists (select from moved m where m.window_start = t.window_start) then t.fetched_at end
from jsonb_populate_recordset(null::gift_windows, @rows::jsonb) as t
on conflict (store_id, window_start, window_end, includes_today) do update set
    asked_days = 1,
    timezone = excluded.timezone,
    currency = excluded.currency,
    cached = false,
    orders = excluded.orders,
    orders_previous = null,
    orders_change = null,
    revenue = excluded.revenue,
    revenue_previous = null,
    revenue_change = null,
    conversion_rate = excluded.conversion_rate,
    conversion_rate_previous = null,
    conversion_rate_change = null,
    conversion_rate_unit = excluded.conversion_rate_unit,
    aov_by_fg = excluded.aov_by_fg,
    aov_by_fg_previous = null,
    aov_by_fg_change = null,
    aov_store = excluded.aov_store,
    aov_store_previous = null,
    aov_store_change = null,
    flags = '{}',
    fetched_at = excluded.fetched_at,
    basis = excluded.basis,
    begun_at = null,
    same_since = null,
    proven_at = excluded.proven_at,
    revised_at = coalesce(excluded.revised_at, g.revised_at)
where (g.proven_at is null and g.basis <> 'reported') or (excluded.proven_at is not null and g.fetched_at < excluded.fetched_at);

-- name: DropOutdatedGiftWindows :exec
-- Like DropOutdatedWindows: a longer window that was answered before one of these days changed and
-- isn't requested again, since it ended before yesterday.
delete from gift_windows w
using gift_windows c
where c.store_id = @store_id and c.window_start = any(@days::date[]) and c.window_end = c.window_start and not c.includes_today
  and w.store_id = c.store_id and w.window_start <= c.window_start and w.window_end >= c.window_start and w.window_end > w.window_start
  and w.window_end < @yesterday and not w.includes_today and w.fetched_at < c.revised_at;

-- name: ProveDays :exec
-- Days whose stored figures were confirmed.
update gift_windows g
set proven_at = r.at
from (select unnest(@days::date[]) as day, unnest(@moments::timestamptz[]) as at) as r
where g.store_id = @store_id and g.window_start = r.day and g.window_end = r.day and not g.includes_today
  and (g.proven_at is null or g.proven_at < r.at);

-- name: NoticeGiftDays :exec
-- The days in which a reported window differs from the sum of its days, and only those.
with gone as (
    delete from suspect_days s
    where s.store_id = @store_id and s.service = 'gift' and s.noticed_by = 'gift'
      and not exists (
          select
          from (select unnest(@first_days::date[]) as first_day, unnest(@last_days::date[]) as last_day) as d
          where d.first_day = s.first_day and d.last_day = s.last_day
      )
)
insert into suspect_days (store_id, service, first_day, last_day, noticed_by, noticed_at)
select @store_id, 'gift', unnest(@first_days::date[]), unnest(@last_days::date[]), 'gift', @noticed_at
on conflict do nothing;

-- name: HealGiftDays :exec
-- Days that were derived again after it was noticed that they may have changed.
delete from suspect_days s
using (
    select unnest(@first_days::date[]) as first_day, unnest(@last_days::date[]) as last_day,
        unnest(@noticed_bys::text[]) as noticed_by, unnest(@noticed_ats::timestamptz[]) as noticed_at
) as d
where s.store_id = @store_id and s.service = 'gift' and s.first_day = d.first_day and s.last_day = d.last_day
  and s.noticed_by = d.noticed_by and s.noticed_at = d.noticed_at;

-- name: AskSpans :exec
-- The windows from these days to yesterday are due now, and no others except failed ones. A window that
-- someone requested after it was planned is left alone.
with asked as (
    insert into ledger as l (store_id, pull, subject, service, lane, due_at)
    select @store_id, 'gift.span', unnest(@days::text[]), 'gift', 'backfill', @at::timestamptz
    on conflict (store_id, pull, subject) do update set due_at = excluded.due_at
    where l.due_at is null
      and exists (
          select
          from (select unnest(@days::text[]) as subject, unnest(@planned::bigint[]) as claim) as p
          where p.subject = l.subject and p.claim = l.claim
      )
)
update ledger l
set due_at = null
where l.store_id = @store_id and l.pull = 'gift.span' and l.due_at is not null and l.subject <> all(@days::text[])
  and l.outcome not in ('failed', 'quarantined');

-- name: GiveUpDays :exec
-- Days that two windows couldn't give, with the reason.
insert into ledger as l (store_id, pull, subject, service, lane, outcome, outcome_text, tried_at)
select @store_id, 'gift.span', r.day, 'gift', 'backfill', 'refused', r.reason, @at::timestamptz
from jsonb_to_recordset(@days::jsonb) as r (day text, reason jsonb)
on conflict (store_id, pull, subject) do update set
    outcome = excluded.outcome,
    outcome_text = excluded.outcome_text,
    due_at = null;

-- name: CheckGiftWindow :exec
-- Compares the reported window with the sum of its stored days.
insert into gift_window_checks as c (
    store_id, window_start, window_end, reported_orders, stitched_orders, reported_revenue, stitched_revenue,
    days_stored, days_missing, days_derived, agrees, checked_at
)
select
    w.store_id, w.window_start, w.window_end, w.orders, d.orders, w.revenue, d.revenue,
    d.days, w.window_end - w.window_start + 1 - d.days, d.derived,
    w.window_end - w.window_start + 1 = d.days and w.orders = d.orders and w.revenue = d.revenue, @checked_at
from gift_windows w
cross join lateral (
    select
        coalesce(sum(s.orders), 0) as orders,
        coalesce(sum(s.revenue), 0) as revenue,
        count(*)::integer as days,
        (count(*) filter (where s.basis <> 'reported'))::integer as derived
    from gift_windows s
    where s.store_id = w.store_id and s.window_start between w.window_start and w.window_end
      and s.window_start = s.window_end and not s.includes_today and s.currency = w.currency
      and s.orders is not null and s.revenue is not null
) d
where w.store_id = @store_id and w.window_start = @window_start and w.window_end = @window_end
  and not w.includes_today and w.orders is not null and w.revenue is not null
on conflict (store_id, window_start, window_end) do update set
    reported_orders = excluded.reported_orders,
    stitched_orders = excluded.stitched_orders,
    reported_revenue = excluded.reported_revenue,
    stitched_revenue = excluded.stitched_revenue,
    days_stored = excluded.days_stored,
    days_missing = excluded.days_missing,
    days_derived = excluded.days_derived,
    agrees = excluded.agrees,
    checked_at = excluded.checked_at;
