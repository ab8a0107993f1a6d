-- What the gift service reports: windows of numbers, setup health, plan, campaigns, widgets,
-- translations and settings. As with upsell numbers, each write sets a value for its key.

-- +goose Up
create table gift_windows (
    store_id bigint not null references stores on delete cascade,
    window_start date not null,
    window_end date not null,
    -- true: includes the partial current day, so it's never history (N45)
    includes_today boolean not null,
    -- the requested number of days, and the time zone that the service named
    asked_days integer not null,
    timezone text not null,
    currency text not null,
    cached boolean not null,
    orders numeric,
    orders_previous numeric,
    orders_change numeric,
    revenue numeric,
    revenue_previous numeric,
    revenue_change numeric,
    conversion_rate numeric,
    conversion_rate_previous numeric,
    conversion_rate_change numeric,
    conversion_rate_unit text not null default '',
    aov_by_fg numeric,
    aov_by_fg_previous numeric,
    aov_by_fg_change numeric,
    aov_store numeric,
    aov_store_previous numeric,
    aov_store_change numeric,
    flags text[] not null default '{}',
    -- A row with window_start = window_end, without today, is a day of the daily series. 'previous':
    -- from the answer for the day after. 'difference': the longer of two windows with one shared end
    -- minus the shorter; orders and revenue only, the rest is null. A reported row always replaces a
    -- derived one, never the other way round.
    basis text not null default 'reported' check (basis in ('reported', 'previous', 'difference')),
    -- when the last answer that didn't come from the service's cache was requested; null: unknown
    begun_at timestamptz,
    -- when the first of the equal answers up to that one arrived
    same_since timestamptz,
    -- For a day: the last moment at which its figures are known to be true. A past day is the
    -- difference of two windows, which is only right if no order arrived between the two answers. Null:
    -- one may have arrived. 1970: being pulled again.
    proven_at timestamptz,
    fetched_at timestamptz not null,
    revised_at timestamptz,
    primary key (store_id, window_start, window_end, includes_today)
);
create index gift_windows_days on gift_windows (store_id, window_start) where window_start = window_end and not includes_today;

-- Setup health by section. A section that the service couldn't read keeps its last good body; 'errors'
-- says what was missing last time. 'named' holds the issues of an incomplete answer: they are current,
-- in addition to those of the last complete answer in 'issues'.
create table gift_health (
    store_id bigint not null references stores on delete cascade,
    section text not null check (section in ('theme', 'campaigns', 'issues', 'named', 'errors')),
    body jsonb not null,
    fetched_at timestamptz not null,
    primary key (store_id, section)
);

create table gift_plans (
    store_id bigint primary key references stores on delete cascade,
    body jsonb not null,
    fetched_at timestamptz not null,
    -- someone has connected or resumed the store since: a lapsed trial in this row stops nothing
    doubted boolean not null default false
);

-- The plan by day: the last answer of each day.
create table gift_plan_days (
    store_id bigint not null references stores on delete cascade,
    day date not null,
    body jsonb not null,
    fetched_at timestamptz not null,
    primary key (store_id, day)
);

create table gift_campaigns (
    store_id bigint not null references stores on delete cascade,
    campaign_id text not null,
    name text not null,
    status text not null,
    type text not null,
    target_page text not null,
    start_date text,
    end_date text,
    code text,
    position integer not null,
    first_seen_at timestamptz not null,
    last_listed_at timestamptz not null,
    primary key (store_id, campaign_id)
);

create table gift_campaign_lists (
    store_id bigint primary key references stores on delete cascade,
    total bigint not null,
    capped boolean not null,
    fetched_at timestamptz not null
);

-- A campaign's configuration as received: its inner fields aren't documented. found false: the service
-- has no such campaign in this store, which is neither an error nor a deletion (N54).
create table gift_campaign_configs (
    store_id bigint not null references stores on delete cascade,
    campaign_id text not null,
    found boolean not null,
    body jsonb not null,
    fetched_at timestamptz not null,
    primary key (store_id, campaign_id)
);

create table gift_widgets (
    store_id bigint not null references stores on delete cascade,
    type text not null,
    title text not null,
    is_premium boolean not null,
    is_locked boolean not null,
    position integer not null,
    first_seen_at timestamptz not null,
    last_listed_at timestamptz not null,
    primary key (store_id, type)
);

-- found false: the type was never configured.
create table gift_widget_settings (
    store_id bigint not null references stores on delete cascade,
    type text not null,
    found boolean not null,
    body jsonb not null,
    fetched_at timestamptz not null,
    primary key (store_id, type)
);

-- One language's answer. A missing entry has the app's own wording (N59).
create table gift_translations (
    store_id bigint not null references stores on delete cascade,
    locale text not null,
    found boolean not null,
    active_languages text[] not null,
    total_strings bigint,
    body jsonb not null,
    fetched_at timestamptz not null,
    primary key (store_id, locale)
);

create table gift_settings (
    store_id bigint primary key references stores on delete cascade,
    found boolean not null,
    body jsonb not null,
    fetched_at timestamptz not null
);

-- The nightly comparison of reported gift windows with the sum of their days.
create table gift_window_checks (
    store_id bigint not null references stores on delete cascade,
    window_start date not null,
    window_end date not null,
    reported_orders numeric not null,
    stitched_orders numeric not null,
    reported_revenue numeric not null,
    stitched_revenue numeric not null,
    days_stored integer not null,
    days_missing integer not null,
    -- how many of the stored days were derived, not reported
    days_derived integer not null,
    agrees boolean not null,
    checked_at timestamptz not null,
    primary key (store_id, window_start, window_end)
);

select keep_answers(
    'gift_windows',
    'gift_health',
    'gift_plans',
    'gift_plan_days',
    'gift_campaigns',
    'gift_campaign_lists',
    'gift_campaign_configs',
    'gift_widgets',
    'gift_widget_settings',
    'gift_translations',
    'gift_settings',
    'gift_window_checks'
);
-- Pages may only record that someone has connected the store again.
grant update (doubted) on gift_plans to storeglass_pages;

-- +goose Down
drop table
    gift_window_checks,
    gift_settings,
    gift_translations,
    gift_widget_settings,
    gift_widgets,
    gift_campaign_configs,
    gift_campaign_lists,
    gift_campaigns,
    gift_plan_days,
    gift_plans,
    gift_health,
    gift_windows;
