-- Goals: what a store wants to sell with upsells in a month.

-- +goose Up

-- A row applies from its month on, until a later row's month. If two rows have the same month, the
-- newer one applies. Rows are never changed, so the table is also the history.
create table goals (
    id bigint generated always as identity primary key,
    store_id bigint not null references stores on delete cascade,
    -- the first day of a month, on the store's clock
    from_month date not null check (extract(day from from_month) = 1),
    -- 'value': upsold value; 'orders': upsold orders; 'none': no goal from this month on
    kind text not null check (kind in ('value', 'orders', 'none')),
    -- per month; for 'value', in the currency
    amount numeric not null,
    currency text not null default '',
    -- null: a command, or a deleted person
    set_by bigint references people on delete set null,
    set_at timestamptz not null,
    check (case kind when 'none' then amount = 0 else amount > 0 end),
    check (case kind when 'orders' then amount = trunc(amount) else true end),
    check ((kind = 'value') = (currency <> ''))
);
create index goals_month on goals (store_id, from_month desc, id desc);
create index goals_person on goals (set_by);

select build_wall('goals');

grant select, insert on goals to storeglass_pages, storeglass_worker;

-- +goose Down
drop table goals;
