-- A process is alive while a session of it shares the lock (class, id); the database
-- ends that hold with the session, however the process ended.

-- name: LockProcess :exec
select pg_advisory_lock_shared(@class::integer, @id::integer);

-- name: AddProcess :exec
insert into processes (id) values (@id) on conflict (id) do nothing;

-- name: DeadProcesses :many
-- Those whose lock is to be had: this transaction now has it, so that nobody else
-- clears up after them, and one that was only cut off waits until that is done.
select id from processes
where id <> @own::integer and pg_try_advisory_xact_lock(@class::integer, id);

-- name: LockClaimedStores :exec
-- As LockStore, for every store in which the processes have claims.
select pg_advisory_xact_lock(hashtextextended('ledger', s.store_id))
from (
    select distinct store_id from ledger
    where claimed_by = any(@processes::integer[]) and claimed_until is not null
    order by store_id
) as s;

-- name: FreeClaims :execrows
update ledger set claimed_until = null
where claimed_by = any(@processes::integer[]) and claimed_until is not null;

-- name: RemoveProcesses :exec
delete from processes where id = any(@processes::integer[]);
