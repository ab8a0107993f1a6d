-- The gift service in full: days that were missed and could be told afterwards, the
-- plan day by day, campaigns' configurations, widgets, translations and settings. A
-- running server keeps reading and writing: the new column has a default.

-- +goose Up
-- A day row (window_start = window_end, without today) is a day of the daily series.
-- 'previous': told by the answer for the day after. 'difference': the longer of two
-- windows with one end minus the shorter; orders and revenue only, the rest is null.
-- A derived row never replaces a reported one; a reported one always replaces it.
alter table gift_windows
    add column basis text not null default 'reported' check (basis in ('reported', 'previous', 'difference'));
create index gift_windows_days on gift_windows (store_id, window_start) where window_start = window_end and not includes_today;

-- The last answer of each of the days of a store.
create table gift_plan_days (
    store_id bigint not null references stores on delete cascade,
    day date not null,
    body jsonb not null,
    fetched_at timestamptz not null,
    primary key (store_id, day)
);

-- What a campaign's answer holds, as it came: the inner fields are not documented.
-- found false: the service has no such campaign in this store, which is neither an
-- error nor a deletion (N54).
create table gift_campaign_configs (
    store_id bigint not null references stores on delete cascade,
    campaign_id text not null,
    found boolean not null,
    body jsonb not null,
    fetched_at timestamptz not null,
    primary key (store_id, campaign_id)
);

create table gift_widgets (
    store_id bigint not null references stores on delete cascade,
    type text not null,
    title text not null,
    is_premium boolean not null,
    is_locked boolean not null,
    position integer not null,
    first_seen_at timestamptz not null,
    last_listed_at timestamptz not null,
    primary key (store_id, type)
);

-- found false: the type was never configured.
create table gift_widget_settings (
    store_id bigint not null references stores on delete cascade,
    type text not null,
    found boolean not null,
    body jsonb not null,
    fetched_at timestamptz not null,
    primary key (store_id, type)
);

-- One language's answer. An entry that is absent has the app's own wording (N59).
create table gift_translations (
    store_id bigint not null references stores on delete cascade,
    locale text not null,
    found boolean not null,
    active_languages text[] not null,
    total_strings bigint,
    body jsonb not null,
    fetched_at timestamptz not null,
    primary key (store_id, locale)
);

create table gift_settings (
    store_id bigint primary key references stores on delete cascade,
    found boolean not null,
    body jsonb not null,
    fetched_at timestamptz not null
);

-- Campaigns that are known already are asked for in detail.
insert into ledger (store_id, pull, subject, service, due_at)
select store_id, 'gift.campaign', campaign_id, 'gift', now()
from gift_campaigns
on conflict do nothing;

-- +goose Down
delete from ledger
where pull in ('gift.campaign', 'gift.widgets', 'gift.widget', 'gift.translations', 'gift.settings', 'gift.span')
   or (pull = 'gift.window' and subject = '365');
drop table gift_settings, gift_translations, gift_widget_settings, gift_widgets, gift_campaign_configs, gift_plan_days;
delete from gift_windows where basis <> 'reported';
drop index gift_windows_days;
alter table gift_windows drop column basis;
