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
