-- What the list of many stores says of each, made when a pull's answer is written and
-- not each time the list is read. A running server of the version before goes on: it
-- fills nothing in, and the next pull by the new one does.

-- +goose Up
alter table stores
    -- the newest good answer of each service
    add column upsell_pulled_at timestamptz,
    add column gift_pulled_at timestamptz,
    -- of the planned history on the day of the last pull of a day: the last whole day,
    -- how many days are stored, of how many, and how many are still to be asked for;
    -- null before the first
    add column last_day date,
    add column days_stored integer,
    add column days_planned integer,
    add column days_left integer;

update stores s set
    upsell_pulled_at = (select max(l.last_good_at) from ledger l where l.store_id = s.id and l.service = 'upsell'),
    gift_pulled_at = (select max(l.last_good_at) from ledger l where l.store_id = s.id and l.service = 'gift');

update stores s set
    last_day = d.last_day,
    days_stored = d.stored,
    days_planned = d.planned,
    days_left = 0
from (
    select
        t.id,
        max(d.window_start) as last_day,
        count(*) filter (where d.window_start > current_date - 1 - t.history_days) as stored,
        least(t.history_days, current_date - min(d.window_start)) as planned
    from stores t
    join summaries d on d.store_id = t.id and d.window_end = d.window_start and not d.partial
    group by t.id
) d
where d.id = s.id;

-- Whole days, for sums over windows that the service has not answered.
create index summaries_whole on summaries (store_id, window_start) where window_end = window_start and not partial;

-- The view that a person's list opens with: one, or none.
alter table saved_views add column opens boolean not null default false;
create unique index saved_views_opens on saved_views (person_id) where opens;

-- +goose Down
drop index saved_views_opens;
alter table saved_views drop column opens;
drop index summaries_whole;
alter table stores
    drop column days_left, drop column days_planned, drop column days_stored, drop column last_day,
    drop column gift_pulled_at, drop column upsell_pulled_at;
