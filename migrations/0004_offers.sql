-- Offers in full: what a list row does not say (set-up, stages, recommendations),
-- what changed and when, the walk over more offers than a list can show, and which
-- rankings are known to be whole. A running server keeps reading and writing: every
-- new column has a default. Offers that are known already are asked for in detail.

-- +goose Up
alter table offers
    -- display order within the placement, 1 first; null when not known
    add column priority bigint,
    -- the walk over the placement's order that last met the offer
    add column priority_walk bigint not null default 0,
    -- a whole walk did not meet it; that is no deletion (N11)
    add column unlisted_at timestamptz;

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

insert into offer_events (store_id, offer_id, at, kind, after)
select store_id, offer_id, first_seen_at, 'first_seen', name from offers;

-- Bodies as the report package defines them; JSON null: the service says that there
-- is no such offer in this store, which is neither an error nor a deletion (N32).
create table offer_setups (
    store_id bigint not null references stores on delete cascade,
    offer_id text not null,
    body jsonb not null,
    -- its days on the store's clock, for the marks of a timeline; null: not said
    starts_on date,
    ends_on date,
    fetched_at timestamptz not null,
    primary key (store_id, offer_id)
);

create index offer_setups_starts on offer_setups (store_id, starts_on);
create index offer_setups_ends on offer_setups (store_id, ends_on);

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

insert into ledger (store_id, pull, subject, service, due_at)
select o.store_id, p.pull, o.offer_id, 'upsell', now()
from offers o, unnest(array['offer.setup', 'offer.stages', 'offer.recommendations']) as p (pull)
where not o.deleted
on conflict do nothing;

alter table offer_walks
    -- requests that its pages took
    add column calls integer not null default 0,
    -- it met as many offers as the count says
    add column whole boolean not null default false;

-- A walk goes over one list at a time: the whole shop or a filtered part of it, from
-- one end. A page is a pull, so a killed walk goes on where it stood.
create table offer_slices (
    walk_id bigint not null references offer_walks on delete cascade,
    n integer not null,
    -- empty: not filtered by it
    placement text not null default '',
    status text not null default '',
    ab_test boolean not null default false,
    sort text not null check (sort in ('oldest', 'newest')),
    next_page integer not null default 1,
    -- total of page 1, the only full count (N8)
    listed_total bigint,
    -- offers that no earlier page of the walk held
    fresh bigint not null default 0,
    done_at timestamptz,
    -- it ended at the last page that the service shows (N9)
    clamped boolean not null default false,
    primary key (walk_id, n)
);

insert into offer_slices (walk_id, n, sort, next_page, listed_total)
select id, 0, 'oldest', next_page, listed_total from offer_walks where finished_at is null;

alter table offer_walks drop column next_page;

-- How far the walk over a placement's display order has come.
create table priority_walks (
    store_id bigint not null references stores on delete cascade,
    placement text not null,
    walk bigint not null default 1,
    next_page integer not null default 1,
    listed_total bigint,
    finished_at timestamptz,
    primary key (store_id, placement)
);

-- A ranking is whole when it is known that no offer that earned is missing from it
-- (N16): only then did an absent offer earn nothing.
alter table top_lists add column whole boolean not null default false;
create index top_lists_unproven on top_lists (store_id) where not whole and direction = 'highest';

-- One offer's days.
create index top_offers_days on top_offers (store_id, offer_id, window_start) where window_start = window_end;

-- +goose Down
drop index top_offers_days, top_lists_unproven;
alter table top_lists drop column whole;
drop table priority_walks;
alter table offer_walks add column next_page integer not null default 1, drop column whole, drop column calls;
drop table offer_slices, offer_recommendations, offer_stages, offer_setups, offer_events;
delete from ledger
where pull in ('offer.setup', 'offer.stages', 'offer.recommendations', 'offers.priority', 'top.day.lowest');
alter table offers drop column unlisted_at, drop column priority_walk, drop column priority;
