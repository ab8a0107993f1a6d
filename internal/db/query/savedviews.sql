-- A person's saved views. Every statement names the person, so other people's views don't appear.

-- name: SavedViewsOf :many
select * from saved_views where person_id = @person_id order by lower(name), id;

-- name: SaveView :one
-- If the name is taken, that view gets the new query. The number of views per person is limited.
insert into saved_views (person_id, name, query)
select @person_id::bigint, @name::text, @query::text
where (select count(*) from saved_views v where v.person_id = sqlc.arg(person_id)::bigint and v.name <> sqlc.arg(name)::text) < @most::integer
on conflict (person_id, name) do update set query = excluded.query
returning id;

-- name: RenameView :execrows
update saved_views set name = @name where id = @id and person_id = @person_id;

-- name: CloseViews :exec
update saved_views set opens = false where person_id = @person_id and opens;

-- name: OpenView :execrows
update saved_views set opens = true where id = @id and person_id = @person_id;

-- name: DeleteView :execrows
delete from saved_views where id = @id and person_id = @person_id;
