-- Thresholds: what people want an alert of, beside the rules that every store has. The check
-- of alerts reads them, and each is the subject of at most one open alert.

-- +goose Up
create table thresholds (
    id bigint generated always as identity primary key,
    store_id bigint not null references stores on delete cascade,
    -- what is looked at on a whole day
    metric text not null check (metric in ('value', 'orders', 'rate', 'average', 'views')),
    -- of one placement alone, by the service's label; '' is the store
    placement text not null default '',
    -- of one offer alone; '' is every offer
    offer_id text not null default '',
    -- 'fall': by so many percent against the same weekday of the weeks before; 'day', 'week':
    -- below an amount on one day, or over seven
    kind text not null check (kind in ('fall', 'day', 'week')),
    -- percent of a fall and of the success rate, else what the metric counts
    amount numeric not null check (amount > 0),
    -- of an amount of money
    currency text not null default '',
    -- no alert where fewer orders a day are expected
    least_orders integer not null check (least_orders >= 0),
    -- null: a person who was deleted
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
