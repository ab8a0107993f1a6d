-- What a process that died had in hand comes back with its job, and a claim runs out:
-- nobody has to prove that he lives any more. A server of the version before must not
-- run beside this one.

-- +goose Up
alter table ledger drop column claimed_by;
drop table processes;

drop index alert_letters_claimed;
alter table alert_letters drop column claimed_by, drop column claimed_until;
-- A mail that a server has and has not answered yet: nobody touches it until then.
alter table alert_letters add column held_until timestamptz;


revoke select (claimed_by, claimed_until) on deliveries from storeglass_pages;
drop index deliveries_claimed;
alter table deliveries drop column claimed_by, drop column claimed_until;
alter table deliveries add column held_until timestamptz;
grant select (held_until) on deliveries to storeglass_pages;

-- +goose Down
revoke select (held_until) on deliveries from storeglass_pages;
alter table deliveries drop column held_until;
alter table deliveries add column claimed_by integer, add column claimed_until timestamptz,
    add check ((claimed_by is null) = (claimed_until is null));
create index deliveries_claimed on deliveries (claimed_by) where claimed_by is not null;
grant select (claimed_by, claimed_until) on deliveries to storeglass_pages;
alter table alert_letters drop column held_until;
alter table alert_letters add column claimed_by integer, add column claimed_until timestamptz,
    add check ((claimed_by is null) = (claimed_until is null));
create index alert_letters_claimed on alert_letters (claimed_by) where claimed_by is not null;
create table processes (
    id integer primary key,
    started_at timestamptz not null default now()
);
grant select, insert, update, delete on processes to storeglass_worker;
alter table ledger add column claimed_by integer;
