-- Goals: what a store wants to sell with upsells in a month.

-- +goose Up

-- A row holds from its month on, until a later row's month. Of two rows for a month the
-- newer holds. Rows are never changed, so the table is the history too.
create table goals (
    id bigint generated always as identity primary key,
    store_id bigint not null references stores on delete cascade,
    -- the first day of a month, on the store's clock
    from_month date not null check (extract(day from from_month) = 1),
    -- 'value': upsold value; 'orders': upsold orders; 'none': no goal from this month on
    kind text not null check (kind in ('value', 'orders', 'none')),
    -- a month's; of a value in the currency
    amount numeric not null,
    currency text not null default '',
    -- null: a command, or a person who was deleted
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
