-- Gift days that are proven. A day of the past is the difference of two windows, and
-- it is right only if no order arrived between the two answers. So each window keeps
-- how long its value is known not to have changed, and each day whether it is proven.
-- A running server of the version before keeps reading and writing: what it stores is
-- taken for unproven and asked again.

-- +goose Up
alter table gift_windows
    -- the last answer that did not come from the service's cache: when it was asked
    -- for; null when none is known
    add column begun_at timestamptz,
    -- when the first of the equal answers up to that one came in
    add column same_since timestamptz,
    -- for a day: the last moment at which its figures are known to be true. Null: an
    -- order may have arrived between the answers that gave it. 1970: asked for again.
    add column proven_at timestamptz;
update gift_windows set proven_at = fetched_at where basis <> 'difference';

-- +goose Down
alter table gift_windows drop column begun_at, drop column same_since, drop column proven_at;
