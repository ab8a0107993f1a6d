-- The numbers. Every row is keyed by store and by the window that the service
-- APPLIED, and every write sets a value for its key, so that a pull may run
-- twice. A day is a window whose two ends are equal. Money is numeric, currency
-- stands on every row.

-- +goose Up
create table summaries (
    store_id bigint not null references stores on delete cascade,
    window_start date not null,
    window_end date not null,
    total_upsold_value numeric not null,
    total_upsold_orders bigint not null,
    total_orders bigint not null,
    -- as reported; pages recompute them from their parts
    upsell_success_rate numeric,
    average_upsold_value numeric,
    offer_views bigint,
    currency text not null,
    source text not null default '',
    asked_start date not null,
    asked_end date not null,
    -- the window held a day that was not over
    partial boolean not null,
    flags text[] not null default '{}',
    fetched_at timestamptz not null,
    revised_at timestamptz,
    primary key (store_id, window_start, window_end)
);

create table placement_stats (
    store_id bigint not null references stores on delete cascade,
    window_start date not null,
    window_end date not null,
    placement text not null,
    impressions bigint not null,
    claims bigint not null,
    -- null: not reported (Coupon offer), never zero
    revenue numeric,
    currency text not null,
    shop_offer_count bigint,
    source text not null default '',
    partial boolean not null,
    position smallint not null,
    fetched_at timestamptz not null,
    revised_at timestamptz,
    primary key (store_id, window_start, window_end, placement)
);

create table top_lists (
    store_id bigint not null references stores on delete cascade,
    window_start date not null,
    window_end date not null,
    direction text not null check (direction in ('highest', 'lowest')),
    row_limit integer not null,
    row_count integer not null,
    shop_offer_count bigint,
    currency text not null,
    source text not null default '',
    partial boolean not null,
    fetched_at timestamptz not null,
    primary key (store_id, window_start, window_end, direction)
);

create table top_offers (
    store_id bigint not null references stores on delete cascade,
    window_start date not null,
    window_end date not null,
    direction text not null,
    -- place in the list as answered, from 1
    place integer not null,
    offer_id text not null,
    name text not null,
    placement text not null,
    status text not null,
    ab_test boolean not null,
    revenue numeric,
    claims bigint,
    acceptance_rate numeric,
    deleted boolean not null,
    url text,
    primary key (store_id, window_start, window_end, direction, place)
);

create table coverage (
    store_id bigint not null references stores on delete cascade,
    placement text not null,
    has_active boolean not null,
    active_count bigint not null,
    total_count bigint not null,
    recent_revenue numeric,
    currency text not null,
    -- the window of recent_revenue alone; the counts are of fetched_at
    window_start date not null,
    window_end date not null,
    source text not null default '',
    position smallint not null,
    fetched_at timestamptz not null,
    primary key (store_id, placement)
);

create table lifetimes (
    store_id bigint primary key references stores on delete cascade,
    total_revenue numeric not null,
    offer_views bigint not null,
    upsold_orders bigint not null,
    conversion_rate numeric,
    revenue_per_visit numeric,
    currency text not null,
    flags text[] not null default '{}',
    fetched_at timestamptz not null
);

create table offer_counts (
    store_id bigint not null references stores on delete cascade,
    -- a placement, or '' for the grand total
    placement text not null,
    total bigint not null,
    active bigint not null,
    scheduled bigint not null,
    expired bigint not null,
    position smallint not null,
    fetched_at timestamptz not null,
    primary key (store_id, placement)
);

create table offers (
    store_id bigint not null references stores on delete cascade,
    offer_id text not null,
    name text not null,
    status text not null,
    placement text not null,
    ab_test boolean not null,
    url text,
    -- all-time; null when the row carried none (Coupon offer)
    revenue numeric,
    currency text,
    -- the store's clock, as sent: it may carry no zone
    created_at_text text,
    deleted boolean not null default false,
    first_seen_at timestamptz not null,
    last_listed_at timestamptz not null,
    last_walk bigint not null,
    primary key (store_id, offer_id)
);

create table gift_windows (
    store_id bigint not null references stores on delete cascade,
    window_start date not null,
    window_end date not null,
    -- true: holds the partial current day; never history (N45)
    includes_today boolean not null,
    -- the days that were asked for, and the clock that the service named
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
    fetched_at timestamptz not null,
    revised_at timestamptz,
    primary key (store_id, window_start, window_end, includes_today)
);

-- Setup health by section: a section that the service could not tell keeps its
-- last good body. 'errors' is the section of what was missing last time.
create table gift_health (
    store_id bigint not null references stores on delete cascade,
    section text not null check (section in ('theme', 'campaigns', 'issues', 'errors')),
    body jsonb not null,
    fetched_at timestamptz not null,
    primary key (store_id, section)
);

create table gift_plans (
    store_id bigint primary key references stores on delete cascade,
    body jsonb not null,
    fetched_at timestamptz not null
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

-- Values that a later pull replaced, with the time they were first seen.
create table revisions (
    id bigint generated always as identity primary key,
    store_id bigint not null references stores on delete cascade,
    pull text not null,
    window_start date not null,
    window_end date not null,
    subject text not null default '',
    earlier jsonb not null,
    seen_at timestamptz not null,
    replaced_at timestamptz not null
);
create index revisions_window on revisions (store_id, pull, window_start);

-- The nightly comparison of stitched and reported windows.
create table window_checks (
    store_id bigint not null references stores on delete cascade,
    window_start date not null,
    window_end date not null,
    reported_value numeric not null,
    stitched_value numeric not null,
    reported_orders bigint not null,
    stitched_orders bigint not null,
    days_stored integer not null,
    days_missing integer not null,
    agrees boolean not null,
    -- days are pulled again once for a drift
    repulled boolean not null default false,
    checked_at timestamptz not null,
    primary key (store_id, window_start, window_end)
);

-- +goose Down
drop table window_checks, revisions, gift_campaign_lists, gift_campaigns, gift_plans, gift_health, gift_windows,
    offers, offer_counts, lifetimes, coverage, top_offers, top_lists, placement_stats, summaries;
