-- What the gift pages read in addition to an overview's rows.

-- name: GiftToday :many
-- The newest answer that includes the current day (N45).
select * from gift_windows
where store_id = @store_id and includes_today and window_end = @today::date
order by fetched_at desc
limit 1;

-- name: LastGiftDay :one
-- The end of the daily series; 0001-01-01 if it has no days yet.
select coalesce(max(window_start), '0001-01-01')::date as day
from gift_windows
where store_id = @store_id and window_start = window_end and not includes_today;

-- name: GiftCheck :many
-- The nightly comparison of a window with its days.
select * from gift_window_checks
where store_id = @store_id and window_start = @window_start::date and window_end = @window_end::date;
