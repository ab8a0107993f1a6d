-- name: InsertLink :exec
insert into sign_in_links (token_hash, person_id, expires_at, purpose, created_by, created_at)
values (@token_hash, @person_id, @expires_at, @purpose, sqlc.narg(created_by), @created_at);

-- name: DeleteLinksOfPurpose :execrows
delete from sign_in_links where person_id = @person_id and purpose = @purpose;

-- name: PersonByID :one
select * from people where id = @id;

-- name: PersonByIDForUpdate :one
select * from people where id = @id for update;

-- name: InvitationByHash :one
-- Only looks; the link stays valid.
select
    p.*,
    l.expires_at,
    coalesce(b.name, '')::text as invited_by
from sign_in_links l
join people p on p.id = l.person_id
left join people b on b.id = l.created_by
where l.token_hash = @token_hash
    and l.purpose = 'invitation'
    and l.used_at is null
    and l.expires_at > @now
    and p.joined_at is null
    and p.disabled_at is null;

-- name: DeleteInvited :execrows
-- If someone never accepted, nothing remains.
delete from people where id = @id and joined_at is null;

-- name: GrantPersonGroup :execrows
-- No row: the group or the grant doesn't exist.
insert into grants (person_id, group_id)
select @person_id::bigint, g.id
from groups g
where g.id = @group_id
on conflict do nothing;
