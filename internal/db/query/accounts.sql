-- name: InsertLink :exec
insert into sign_in_links (token_hash, person_id, expires_at, purpose, created_by, created_at)
values (@token_hash, @person_id, @expires_at, @purpose, sqlc.narg(created_by), @created_at);

-- name: DeleteLinksOfPurpose :execrows
delete from sign_in_links where person_id = @person_id and purpose = @purpose;

-- name: PersonByID :one
select * from people where id = @id;

-- name: PersonByIDForUpdate :one
select * from people where id = @id for update;

-- name: DeleteInvited :execrows
-- If someone never accepted, nothing remains.
delete from people where id = @id and joined_at is null;

-- name: GrantGroup :execrows
-- To a person or an API token. No row: the group doesn't exist, or the grant does.
insert into grants (person_id, api_token_id, group_id)
select sqlc.narg(person_id)::bigint, sqlc.narg(api_token_id)::bigint, g.id
from groups g
where g.id = @group_id
on conflict do nothing;
