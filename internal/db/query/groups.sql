-- name: GroupByID :one
select * from groups where id = @id;

-- name: GroupByIDForUpdate :one
select * from groups where id = @id for update;

-- name: GroupByName :one
select * from groups where lower(name) = lower(@name);

-- name: InsertGroup :one
insert into groups (name) values (@name) returning *;

-- name: RenameGroup :exec
update groups set name = @name where id = @id;

-- name: DeleteGroup :exec
delete from groups where id = @id;

-- name: AddStoreToGroup :execrows
-- No row: the store is not there, or it is in the group.
insert into group_stores (group_id, store_id)
select @group_id::bigint, s.id
from stores s
where s.slug = @slug
on conflict do nothing;

-- name: TakeStoreFromGroup :execrows
delete from group_stores m
using stores s
where m.group_id = @group_id and m.store_id = s.id and s.slug = @slug;

-- name: RevokePersonGroup :execrows
delete from grants where person_id = @person_id::bigint and group_id = @group_id::bigint;

-- name: GrantTokenGroup :execrows
insert into grants (api_token_id, group_id)
select @api_token_id::bigint, g.id
from groups g
where g.id = @group_id
on conflict do nothing;
