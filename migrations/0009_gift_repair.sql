-- What the repair of the daily gift series and the care for its keys need. A running
-- server keeps reading and writing: the new column has a default.

-- +goose Up
alter table gift_plans
    -- a person has connected or resumed the store since: a lapsed trial in it stops nothing
    add column doubted boolean not null default false;

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
    -- of those stored: told afterwards, not reported
    days_derived integer not null,
    agrees boolean not null,
    checked_at timestamptz not null,
    primary key (store_id, window_start, window_end)
);

-- Spans and campaigns' details are many, like the days and offers' details.
drop index ledger_shown;
create index ledger_shown on ledger (store_id)
where pull not in ('offer.setup', 'offer.stages', 'offer.recommendations')
    and (pull not in ('summary.day', 'stats.day', 'top.day', 'top.day.lowest', 'gift.span', 'gift.campaign') or outcome not in ('good', 'never'));

-- +goose Down
drop index ledger_shown;
create index ledger_shown on ledger (store_id)
where pull not in ('offer.setup', 'offer.stages', 'offer.recommendations')
    and (pull not in ('summary.day', 'stats.day', 'top.day', 'top.day.lowest') or outcome not in ('good', 'never'));
drop table gift_window_checks;
alter table gift_plans drop column doubted;
