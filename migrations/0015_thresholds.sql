-- Thresholds: custom alerts, in addition to the rules that every store has. The alert check reads them,
-- and each is the subject of at most one open alert.

-- +goose Up
create table thresholds (
    id bigint generated always as identity primary key,
    store_id bigint not null references stores on delete cascade,
    -- what is watched on each whole day
    metric text not null check (metric in ('value', 'orders', 'rate', 'average', 'views')),
    -- only for one placement, by the service's label; '' is the whole store
    placement text not null default '',
    -- only for one offer, by id; '' is every offer
    offer_id text not null default '',
    -- 'fall': by that many percent compared with the same weekday in previous weeks; 'day', 'week':
    -- below an amount on one day, or over seven
    kind text not null check (kind in ('fall', 'day', 'week')),
    -- percent for a fall and for the success rate, otherwise in the metric's unit
    amount numeric not null check (amount > 0),
    -- for an amount of money
    currency text not null default '',
    -- no alert if fewer orders per day are expected
    least_orders integer not null check (least_orders >= 0),
    -- null: a deleted person
    set_by bigint references people on delete set null,
    set_at timestamptz not null,
    check (placement = '' and offer_id = '' or metric = 'value'),
    check (placement = '' or offer_id = ''),
    check (kind <> 'fall' and metric <> 'rate' or amount <= 100),
    check ((kind <> 'fall' and metric in ('value', 'average')) = (currency <> ''))
);
create index thresholds_store on thresholds (store_id, id);
create index thresholds_person on thresholds (set_by);

select build_wall('thresholds');

grant select, insert, delete on thresholds to storeglass_pages;
grant select on thresholds to storeglass_worker;

-- +goose Down
drop table thresholds;
