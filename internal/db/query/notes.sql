-- A store's notes. The table's policies decide which of them API tokens and share links see.

-- name: NotesOfStore :many
-- Those that share a day with the window or, if an id is given, only that one.
select n.id, n.first_day, n.last_day, n.text, n.for_clients, n.written_at, coalesce(p.name, '')::text as written_by
from notes n
left join people p on p.id = n.written_by
where n.store_id = @store_id
  and (n.id = @id::bigint or @id::bigint = 0)
  and n.first_day <= @last_day::date
  and n.last_day >= @first_day::date
order by n.first_day, n.id;

-- name: NotesOfStores :many
-- For each store, those that share a day with its window.
select n.store_id, n.id, n.first_day, n.last_day, n.text, n.for_clients
from (select unnest(@store_ids::bigint[]) as store_id, unnest(@starts::date[]) as first_day, unnest(@ends::date[]) as last_day) w
join notes n on n.store_id = w.store_id and n.first_day <= w.last_day and n.last_day >= w.first_day
order by n.first_day, n.id;

-- name: InsertNote :one
-- The number per store is limited. Pages are cached by the store's revision.
with room as (
    update stores s set revision = s.revision + 1
    where s.id = @store_id
      and (select count(*) from notes n where n.store_id = s.id) < @most::integer
    returning s.id
)
insert into notes (store_id, first_day, last_day, text, for_clients, written_by, written_at)
select room.id, @first_day::date, @last_day::date, @text::text, @for_clients::boolean, @written_by::bigint, @now::timestamptz
from room
returning id;

-- name: ChangeNote :execrows
with changed as (
    update notes n
    set first_day = @first_day, last_day = @last_day, text = @text, for_clients = @for_clients, changed_at = @now::timestamptz
    where n.store_id = @store_id and n.id = @id
    returning n.store_id
)
update stores s set revision = s.revision + 1
from changed
where s.id = changed.store_id;

-- name: DeleteNote :execrows
with gone as (
    delete from notes n
    where n.store_id = @store_id and n.id = @id
    returning n.store_id
)
update stores s set revision = s.revision + 1
from gone
where s.id = gone.store_id;
