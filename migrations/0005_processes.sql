-- Processes that pull. Each holds a lock of a database session for as long as it
-- lives, so that what a killed one had under way is free as soon as the database
-- has seen its session end, and not only when the claim runs out.

-- +goose Up
create table processes (
    id integer primary key,
    started_at timestamptz not null default now()
);

alter table ledger add column claimed_by integer;

-- +goose Down
alter table ledger drop column claimed_by;
drop table processes;
