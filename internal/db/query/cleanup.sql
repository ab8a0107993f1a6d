-- Deletes what has expired. Only the job of package cleanup runs these.

-- name: DeleteExpiredSessions :exec
delete from sessions where expiry <= @now or coalesce(seen_at, created_at) <= @idle_since;

-- name: DeleteOldSignInLinks :exec
delete from sign_in_links where expires_at < @before;

-- name: DeleteOldAttempts :exec
-- A limit without a row is full, as is one with its row in the past.
delete from attempts where free_at < @before;

-- name: DeleteOldPending :exec
delete from pending_connections where expires_at <= @now;

-- name: DeleteOldAudit :one
-- The database refuses less than 30 days, and deletes at most 10,000 records at once.
select forget_audit(@days::integer)::bigint as deleted;

-- name: DeleteOldMailBodies :exec
-- The row stays, to show that the mail was sent.
update deliveries set body = null where body is not null and state = 'sent' and written_at < @before::timestamptz;

-- name: DeleteOldAlerts :exec
delete from alerts where closed_at < @before::timestamptz;

-- name: DeleteOldAlertMessages :exec
-- Messages whose alerts are all deleted.
delete from alert_letters l
where l.state <> 'ready' and l.created_at < @before::timestamptz
  and not exists (select from alert_notices n where n.letter_id = l.id);
