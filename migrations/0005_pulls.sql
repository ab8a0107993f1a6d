-- Pulls: the ledger with each one's due time and outcome, the replies behind the numbers, the budget
-- that all processes share, and walks over lists with many pages.

-- +goose Up
create table ledger (
    store_id bigint not null references stores on delete cascade,
    -- the kind of pull, e.g. summary.day, and its subject: a day, a window, an id, or nothing
    pull text not null,
    subject text not null default '',
    service text not null check (service in ('upsell', 'gift')),
    lane text not null default 'schedule' check (lane in ('interactive', 'schedule', 'backfill')),
    -- null: never again unless something changes
    due_at timestamptz,
    outcome text not null default 'never'
        check (outcome in ('never', 'good', 'failed', 'waiting', 'refused', 'quarantined', 'paused')),
    outcome_text jsonb not null default '""',
    tried_at timestamptz,
    last_good_at timestamptz,
    failing_since timestamptz,
    -- attempts since the last good answer; being rate limited doesn't count
    attempts integer not null default 0,
    asked_start date,
    asked_end date,
    applied_start date,
    applied_end date,
    flags text[] not null default '{}',
    -- fence: increases with every claim; only the newest claim may write an outcome
    claim bigint not null default 0,
    claimed_until timestamptz,
    -- when someone last opened a page that needs this pull: such pulls go first
    wanted_at timestamptz,
    primary key (store_id, pull, subject)
);
-- A ledger grows with every day and offer. Pages read only a few of its rows: those about neither,
-- those that failed, and the newest answer.
create index ledger_shown on ledger (store_id)
where pull not in ('offer.setup', 'offer.stages', 'offer.recommendations')
    and (pull not in ('summary.day', 'stats.day', 'top.day', 'top.day.lowest', 'gift.span', 'gift.campaign') or outcome not in ('good', 'never'));
create index ledger_newest on ledger (store_id, service, last_good_at);
create index ledger_wanted on ledger (wanted_at) where wanted_at is not null;

-- The raw reply behind the last good answer, and the last one that broke the contract.
create table replies (
    store_id bigint not null references stores on delete cascade,
    pull text not null,
    subject text not null default '',
    good boolean not null,
    endpoint text not null,
    query text not null,
    status integer not null,
    body bytea not null,
    fetched_at timestamptz not null,
    took_ms integer not null,
    primary key (store_id, pull, subject, good)
);

-- Each row is one call per minute that a token may make. A slot is free once held_until has passed; a
-- call holds its slot until 60 s after the reply. A slot carries one call at a time, so n slots never
-- let through more than n calls in any sliding minute. The first slots are reserved for the interactive
-- lane.
create table budget_slots (
    budget bytea not null,
    n integer not null,
    lane text not null default '' check (lane in ('', 'interactive', 'schedule', 'backfill', 'foreign')),
    held_until timestamptz not null default 'epoch',
    primary key (budget, n)
) with (fillfactor = 50);
create index budget_slots_free on budget_slots (budget, held_until);

-- A walk over the offer list, one page per call.
create table offer_walks (
    id bigint generated always as identity primary key,
    store_id bigint not null references stores on delete cascade,
    started_at timestamptz not null default now(),
    -- total of page 1, the only full count (N8)
    listed_total bigint,
    finished_at timestamptz,
    -- what the count said when the walk ended, and how many distinct offers were seen
    counted bigint,
    seen bigint,
    -- there are pages that the walk couldn't reach (N9)
    clamped boolean not null default false,
    -- how many requests its pages took
    calls integer not null default 0,
    -- it saw as many offers as were counted
    whole boolean not null default false
);
create index offer_walks_store on offer_walks (store_id, id desc);

-- One list of a walk: all offers or a filtered part, from one end. Each page is a pull of its own, so a
-- killed walk continues where it stopped.
create table offer_slices (
    walk_id bigint not null references offer_walks on delete cascade,
    n integer not null,
    -- empty: no filter
    placement text not null default '',
    status text not null default '',
    ab_test boolean not null default false,
    sort text not null check (sort in ('oldest', 'newest')),
    next_page integer not null default 1,
    -- total of page 1, the only full count (N8)
    listed_total bigint,
    -- offers that weren't on an earlier page of the walk
    fresh bigint not null default 0,
    done_at timestamptz,
    -- it ended at the last page that the service shows (N9)
    clamped boolean not null default false,
    primary key (walk_id, n)
);

-- Progress of the walk over a placement's display order.
create table priority_walks (
    store_id bigint not null references stores on delete cascade,
    placement text not null,
    walk bigint not null default 1,
    next_page integer not null default 1,
    listed_total bigint,
    finished_at timestamptz,
    primary key (store_id, placement)
);

-- Days whose stored numbers may be out of date: an answer for a longer window, another kind of pull or
-- the other service disagrees with them. A row stays until every kind of pull for its days has run
-- again; until then, pages, files and answers that show the days say so.
create table suspect_days (
    store_id bigint not null references stores on delete cascade,
    service text not null check (service in ('upsell', 'gift')),
    -- one day, or several when we don't know yet which of them changed
    first_day date not null,
    last_day date not null check (last_day >= first_day),
    -- the series that disagrees: summary, stats, top or gift; or the other service's name if that
    -- service's day changed
    noticed_by text not null,
    noticed_at timestamptz not null,
    -- by how much the days are off, as {"metric": amount}; null: a day to pull again
    difference jsonb,
    -- every possible day was pulled again and the difference is still there: leave it alone until it changes
    unexplained boolean not null default false,
    -- when the pulls for a single day became due; null: not yet
    asked_at timestamptz,
    primary key (store_id, service, first_day, last_day, noticed_by)
);

-- Cached pages become stale when days become suspect or are healed. Deferred, so that the store's row
-- is locked last, as in every transaction that writes about a store.
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

-- A pull's fence: a transaction that writes its outcome starts with this, and fails as a whole if
-- another worker has claimed the pull since.
-- +goose StatementBegin
create function assert_claim(of_store bigint, of_pull text, of_subject text, held_claim bigint) returns void
language plpgsql as $$
begin
    perform 1
    from ledger l
    where l.store_id = of_store and l.pull = of_pull and l.subject = of_subject and l.claim = held_claim
    for no key update;
    if not found then
        raise exception 'claim % on % % is not held any more', held_claim, of_pull, of_subject using errcode = 'SG001';
    end if;
end
$$;
-- +goose StatementEnd

-- The slots of a store's budgets, without the budgets' names. Views run with the owner's rights, so
-- this one and the next enforce the wall themselves.
create view store_slots with (security_barrier) as
select
    c.store_id,
    c.service,
    b.n,
    b.lane,
    b.held_until
from credentials c
join budget_slots b using (budget)
where current_user <> 'storeglass_pages' or (select sees_all()) or c.store_id in (select s.id from seen_stores() as s (id));

-- How many other stores' credentials share a store's budget and have due work.
create view budget_sharers with (security_barrier) as
select
    c.store_id,
    c.service,
    count(*) as others
from credentials c
join credentials o on o.budget = c.budget and o.id <> c.id
join stores s on s.id = o.store_id
where o.state in ('unchecked', 'good') and o.next_due_at <= now() and s.paused_at is null and s.removed_at is null
  and (current_user <> 'storeglass_pages' or (select sees_all()) or c.store_id in (select v.id from seen_stores() as v (id)))
group by c.store_id, c.service;

select build_wall('ledger');
grant select, insert, update, delete on ledger, budget_slots, offer_slices to storeglass_worker;
select keep_answers('replies', 'offer_walks', 'priority_walks', 'suspect_days');
grant select on
    store_slots,
    budget_sharers
to storeglass_pages, storeglass_worker;
-- Pages may make a pull due, and mark it as wanted.
grant
    select,
    update (due_at, attempts, wanted_at)
on ledger to storeglass_pages;

-- +goose Down
drop view budget_sharers, store_slots;
drop function assert_claim(bigint, text, text, bigint);
drop table suspect_days, priority_walks, offer_slices, offer_walks, budget_slots, replies, ledger;
drop function touch_suspected_store();
