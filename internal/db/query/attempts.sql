-- name: TakeAttempt :many
-- One attempt against several limits at once (GCRA). It counts against all of them, or, if one is used
-- up, against none: a refused attempt writes nothing. A bucket without a row, or with one in the past,
-- is full.
with asked as (
    select
        unnest(sqlc.arg(buckets)::text[]) as bucket,
        unnest(sqlc.arg(steps)::bigint[]) * interval '1 microsecond' as step,
        unnest(sqlc.arg(rooms)::bigint[]) * interval '1 microsecond' as room
), state as (
    select
        a.bucket,
        greatest(coalesce(t.free_at, sqlc.arg(now)::timestamptz), sqlc.arg(now)::timestamptz) - a.room as ready_at
    from asked a
    left join attempts t on t.bucket = a.bucket
), taken as (
    insert into attempts as t (bucket, free_at)
    select a.bucket, sqlc.arg(now)::timestamptz + a.step
    from asked a
    where not exists (select 1 from state s where s.ready_at > sqlc.arg(now)::timestamptz)
    order by a.bucket
    on conflict (bucket) do update set
        free_at = greatest(t.free_at, sqlc.arg(now)::timestamptz) + (excluded.free_at - sqlc.arg(now)::timestamptz)
    -- Asked again behind the row lock: others may have taken since.
    where t.free_at <= sqlc.arg(now)::timestamptz + (select a.room from asked a where a.bucket = t.bucket)
    returning t.bucket
)
select
    s.bucket::text as bucket,
    s.ready_at::timestamptz as ready_at,
    (k.bucket is not null)::boolean as taken
from state s
left join taken k on k.bucket = s.bucket;
