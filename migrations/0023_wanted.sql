-- What a person opens goes first: pages say which pulls somebody waits for, and how
-- long the others take. A server of the version before doesn't look at it.

-- +goose Up
-- When a person last opened a page that this pull fills.
alter table ledger add column wanted_at timestamptz;
create index ledger_wanted on ledger (wanted_at) where wanted_at is not null;
grant update (wanted_at) on ledger to storeglass_pages;

-- How far the walks over the display orders are: an estimate counts their pages.
grant select on priority_walks to storeglass_pages;

-- How many other stores' credentials share a store's budget and have work that is due,
-- without the budgets' names. It looks with the owner's eyes, so it has the wall within.
create view budget_sharers with (security_barrier) as
select c.store_id, c.service, count(*) as others
from credentials c
join credentials o on o.budget = c.budget and o.id <> c.id
join stores s on s.id = o.store_id
where o.state in ('unchecked', 'good') and o.next_due_at <= now() and s.paused_at is null and s.removed_at is null
  and (current_user <> 'storeglass_pages' or (select sees_all()) or c.store_id in (select v.id from seen_stores() as v (id)))
group by c.store_id, c.service;
grant select on budget_sharers to storeglass_pages, storeglass_worker;

-- +goose Down
drop view budget_sharers;
revoke select on priority_walks from storeglass_pages;
drop index ledger_wanted;
alter table ledger drop column wanted_at;
