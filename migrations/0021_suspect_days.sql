-- Days whose stored numbers may be out of date: an answer for a longer window, another
-- kind of pull or the other service says something else. A row stays until every kind
-- of pull of its days was made again; until then pages, files and answers that touch
-- the days say so. A running server of the version before notices nothing.

-- +goose Up
create table suspect_days (
    store_id bigint not null references stores on delete cascade,
    service text not null check (service in ('upsell', 'gift')),
    -- one day, or several of which we don't know yet which one changed
    first_day date not null,
    last_day date not null check (last_day >= first_day),
    -- the series that showed it: summary, stats, top or gift; another service's name
    -- where that service's day changed
    noticed_by text not null,
    noticed_at timestamptz not null,
    -- by how much the days are off, as {"metric": amount}; null for a day that is simply
    -- to be pulled again
    difference jsonb,
    -- every day it could be was pulled again and the difference stayed: not pursued
    -- again until the difference changes
    unexplained boolean not null default false,
    primary key (store_id, service, first_day, last_day, noticed_by)
);

select build_wall('suspect_days');
grant select, insert, update, delete on suspect_days to storeglass_worker;
grant select on suspect_days to storeglass_pages;

-- +goose Down
drop table suspect_days;
