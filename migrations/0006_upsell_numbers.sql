-- The upsell service's numbers. Each row is keyed by store and by the window that the service APPLIED,
-- and each write sets a value for its key, so a pull may run twice. A day is a window whose two ends
-- are equal. Money is numeric, and every row names its currency.

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
    -- the window includes a day that wasn't over
    partial boolean not null,
    flags text[] not null default '{}',
    fetched_at timestamptz not null,
    revised_at timestamptz,
    primary key (store_id, window_start, window_end)
);
-- whole days, to add up windows that the service hasn't answered for
create index summaries_whole on summaries (store_id, window_start) where window_end = window_start and not partial;

-- The first day that is stored whole; the year 1 if there is none.
create function first_day(of_store bigint) returns table (day date)
language sql stable parallel safe as $$
    select coalesce((
        select s.window_start
        from summaries s
        where s.store_id = of_store and s.window_start = s.window_end and not s.partial
        order by s.window_start
        limit 1
    ), '0001-01-01')
$$;

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
    -- no offer that earned is missing (N16): only then did an absent offer earn nothing
    whole boolean not null default false,
    fetched_at timestamptz not null,
    primary key (store_id, window_start, window_end, direction)
);
create index top_lists_unproven on top_lists (store_id) where not whole and direction = 'highest';

create table top_offers (
    store_id bigint not null references stores on delete cascade,
    window_start date not null,
    window_end date not null,
    direction text not null,
    -- position in the list as answered, from 1
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
-- One offer's days. The table is in the order of days, so the index has an offer's numbers, too.
create index top_offers_days on top_offers (store_id, offer_id, window_start)
    include (window_end, direction, revenue, claims)
    where window_start = window_end;

create table coverage (
    store_id bigint not null references stores on delete cascade,
    placement text not null,
    has_active boolean not null,
    active_count bigint not null,
    total_count bigint not null,
    recent_revenue numeric,
    currency text not null,
    -- the window of recent_revenue only; the counts are as of fetched_at
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
    -- all-time; null if the row had none (Coupon offer)
    revenue numeric,
    currency text,
    -- as sent, in the store's time zone; it may have no zone
    created_at_text text,
    deleted boolean not null default false,
    first_seen_at timestamptz not null,
    last_listed_at timestamptz not null,
    last_walk bigint not null,
    -- display order within the placement, 1 first; null: unknown
    priority bigint,
    -- the walk over the placement's order that last saw the offer
    priority_walk bigint not null default 0,
    -- a complete walk didn't see it, which doesn't mean it was deleted (N11)
    unlisted_at timestamptz,
    primary key (store_id, offer_id)
);

create table offer_events (
    store_id bigint not null references stores on delete cascade,
    offer_id text not null,
    at timestamptz not null,
    kind text not null check (kind in (
        'first_seen', 'renamed', 'status', 'placement', 'ab_test', 'priority', 'unlisted', 'relisted', 'deleted'
    )),
    before text not null default '',
    after text not null default '',
    primary key (store_id, offer_id, at, kind)
);

-- Bodies as the report package defines them. JSON null: the service says there is no such offer in this
-- store, which is neither an error nor a deletion (N32).
create table offer_setups (
    store_id bigint not null references stores on delete cascade,
    offer_id text not null,
    body jsonb not null,
    -- its days in the store's time zone, to mark them on a timeline; null: unknown
    starts_on date,
    ends_on date,
    fetched_at timestamptz not null,
    -- how many of the things that its trigger conditions name are marked as deleted
    deleted_triggers integer not null generated always as (
        jsonb_array_length(jsonb_path_query_array(body, '$.conditions[*].names[*] ? (@.deleted == true)'))
    ) stored,
    primary key (store_id, offer_id)
);
create index offer_setups_starts on offer_setups (store_id, starts_on);
create index offer_setups_ends on offer_setups (store_id, ends_on);
create index offer_setups_deleted on offer_setups (store_id) where deleted_triggers > 0;

create table offer_stages (
    store_id bigint not null references stores on delete cascade,
    offer_id text not null,
    body jsonb not null,
    fetched_at timestamptz not null,
    primary key (store_id, offer_id)
);

create table offer_recommendations (
    store_id bigint not null references stores on delete cascade,
    offer_id text not null,
    body jsonb not null,
    fetched_at timestamptz not null,
    primary key (store_id, offer_id)
);

-- Values that a later pull replaced, with when they were first seen.
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
    checked_at timestamptz not null,
    primary key (store_id, window_start, window_end)
);

select keep_answers(
    'summaries',
    'placement_stats',
    'top_lists',
    'top_offers',
    'coverage',
    'lifetimes',
    'offer_counts',
    'offers',
    'offer_events',
    'offer_setups',
    'offer_stages',
    'offer_recommendations',
    'revisions',
    'window_checks'
);

-- +goose Down
drop function first_day(bigint);
drop table
    window_checks,
    revisions,
    offer_recommendations,
    offer_stages,
    offer_setups,
    offer_events,
    offers,
    offer_counts,
    lifetimes,
    coverage,
    top_offers,
    top_lists,
    placement_stats,
    summaries;
