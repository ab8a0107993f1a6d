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
    -- when the pulls of a single day were made due; null: not yet
    asked_at timestamptz,
    primary key (store_id, service, first_day, last_day, noticed_by)
);

-- A window may differ from its days more than once: what was looked for is kept above.
alter table window_checks drop column repulled;

select build_wall('suspect_days');
grant select, insert, update, delete on suspect_days to storeglass_worker;
grant select on suspect_days to storeglass_pages;

-- What pages keep in memory is made anew when days become suspect or are healed. The
-- store's row is taken last, as by every transaction that writes of a store.
-- +goose StatementBegin
create function touch_suspected_store() returns trigger language plpgsql as $$
begin
    update stores set revision = revision + 1 where id = coalesce(new.store_id, old.store_id);
    return null;
end
$$;
-- +goose StatementEnd
create constraint trigger touch_store after insert or update or delete on suspect_days
deferrable initially deferred for each row execute function touch_suspected_store();

-- +goose Down
alter table window_checks add column repulled boolean not null default false;
drop table suspect_days;
drop function touch_suspected_store();
