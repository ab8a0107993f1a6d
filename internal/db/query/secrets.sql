-- Re-encrypting with another key, and renaming the budgets that depend on it.

-- name: BudgetName :one
-- A token's budget keeps the name it has, whichever key that came from; a new one is named with the first key.
select coalesce(
    (
        select k.name
        from unnest(@names::bytea[]) with ordinality as k (name, n)
        where exists (select from budget_slots b where b.budget = k.name)
           or exists (select from credentials c where c.budget = k.name)
        order by k.n
        limit 1
    ),
    (@names::bytea[])[1]
)::bytea as name;

-- name: LockBudgetNames :exec
-- Setting a credential's budget happens either before all budgets are renamed, or after.
select pg_advisory_xact_lock_shared(hashtextextended('budget names', 0));

-- name: LockBudgetRenaming :exec
select pg_advisory_xact_lock(hashtextextended('budget names', 0));

-- name: EnsureSlotsOfCredential :exec
-- Like EnsureSlots, for a credential that was read a moment ago: if its budget has been renamed since,
-- no row is made under the old name.
insert into budget_slots (budget, n)
select c.budget, g.n
from credentials c, generate_series(1, @slot_limit::integer) as g (n)
where c.id = @id and c.budget = @budget
for share of c
on conflict do nothing;

-- name: SealedCredentials :many
select c.id, c.key_id, c.service, s.slug
from credentials c
join stores s on s.id = c.store_id
order by c.id;

-- name: CredentialForSealing :one
select * from credentials where id = @id for update;

-- name: SealCredential :exec
update credentials set token_sealed = @token_sealed, key_id = @key_id where id = @id;

-- name: RenameBudget :exec
update credentials set budget = @new_name where budget = @old_name;

-- name: HoldBothBudgets :exec
-- If a budget with the new name already exists, calls under both names count: nothing is free until all
-- of either's calls are over.
update budget_slots b
set held_until = greatest(b.held_until, h.held_until)
from (select max(x.held_until) as held_until from budget_slots x where x.budget in (@old_name, @new_name)) as h
where b.budget = @new_name;

-- name: MoveSlots :exec
-- Slots keep their number and how long they are held: calls in progress still count.
update budget_slots b
set budget = @new_name
where b.budget = @old_name and not exists (select from budget_slots o where o.budget = @new_name and o.n = b.n);

-- name: DropSlots :exec
delete from budget_slots where budget = @budget;

-- name: SealedTotps :many
select t.person_id, t.key_id, p.email
from totps t
join people p on p.id = t.person_id
order by t.person_id;

-- name: TotpForSealing :one
select * from totps where person_id = @person_id for update;

-- name: SealTotp :exec
update totps set secret_sealed = @secret_sealed, key_id = @key_id where person_id = @person_id;

-- name: KeysInUse :many
-- How much is encrypted with each key; pending connections are gone within minutes.
select k.key_id::text as key_id, sum(k.credentials)::bigint as credentials, sum(k.totps)::bigint as totps, sum(k.channels)::bigint as channels, max(k.pending_until)::timestamptz as pending_until
from (
    select key_id, 1 as credentials, 0 as totps, 0 as channels, 'epoch'::timestamptz as pending_until from credentials
    union all
    select key_id, 0, 1, 0, 'epoch' from totps
    union all
    select key_id, 0, 0, 1, 'epoch' from alert_channels
    union all
    select key_id, 0, 0, 0, expires_at from pending_connections where sealed is not null and expires_at > @now
) as k
group by k.key_id
order by k.key_id;
