-- The ledger of pulls, the replies behind the numbers, and the budget that every
-- process shares. A running server notices nothing: the tables are new.

-- +goose Up
create table ledger (
    store_id bigint not null references stores on delete cascade,
    -- the kind of pull, e.g. summary.day, and what it is about: a day, or nothing
    pull text not null,
    subject text not null default '',
    service text not null check (service in ('upsell', 'gift')),
    lane text not null default 'schedule' check (lane in ('interactive', 'schedule', 'backfill')),
    -- null: never again unchanged
    due_at timestamptz,
    outcome text not null default 'never'
        check (outcome in ('never', 'good', 'failed', 'waiting', 'refused', 'quarantined', 'paused')),
    outcome_text text not null default '',
    tried_at timestamptz,
    last_good_at timestamptz,
    failing_since timestamptz,
    -- tries since the last good answer; waits for speed are not counted
    attempts integer not null default 0,
    asked_start date,
    asked_end date,
    applied_start date,
    applied_end date,
    flags text[] not null default '{}',
    -- fence: grows with every claim; only the holder of the newest claim may write an outcome
    claim bigint not null default 0,
    claimed_until timestamptz,
    primary key (store_id, pull, subject)
);

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

-- One row is one call a minute that a token may spend. A slot is free when
-- held_until has passed; sending holds it until 60 s after the reply. Because a
-- slot carries one call at a time, n slots can never become more than n arrivals
-- in any sliding minute. The first slots are the reserve of the interactive lane.
create table budget_slots (
    budget bytea not null,
    n integer not null,
    lane text not null default '' check (lane in ('', 'interactive', 'schedule', 'backfill', 'foreign')),
    held_until timestamptz not null default 'epoch',
    primary key (budget, n)
) with (fillfactor = 50);
create index budget_slots_free on budget_slots (budget, held_until);

-- How far the walk over the offer list has come: one row per walk, a page a call.
create table offer_walks (
    id bigint generated always as identity primary key,
    store_id bigint not null references stores on delete cascade,
    started_at timestamptz not null default now(),
    next_page integer not null default 1,
    -- total of page 1, the only full count (N8); rows seen without doubles
    listed_total bigint,
    finished_at timestamptz,
    -- what the count said when the walk ended, and how many of those were seen
    counted bigint,
    seen bigint,
    -- the clamp was met: there are pages that this walk could not reach (N9)
    clamped boolean not null default false
);
create index offer_walks_store on offer_walks (store_id, id desc);

-- The fence: a transaction that writes a pull's outcome begins with this, and
-- fails as a whole when another worker has claimed the pull since.
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

-- +goose Down
drop function assert_claim;
drop table offer_walks, budget_slots, replies, ledger;
