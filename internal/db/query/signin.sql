-- name: SignInByEmail :one
-- What a sign-in with a password needs. It always returns one row, so an unknown address takes as long
-- as a known one.
select
    coalesce(p.id, 0)::bigint as person_id,
    coalesce(p.email, '')::text as email,
    coalesce(p.name, '')::text as name,
    coalesce(p.role, '')::text as role,
    (p.joined_at is not null)::boolean as joined,
    coalesce(w.hash, '')::text as hash
from (select 1) as one
left join people p on lower(p.email) = lower(@email) and p.disabled_at is null
left join passwords w on w.person_id = p.id;

-- name: FactorsOfPerson :one
-- What someone can sign in with, apart from links.
select
    coalesce(w.set_at, '0001-01-01')::timestamptz as password_set_at,
    coalesce(t.confirmed_at, '0001-01-01')::timestamptz as totp_confirmed_at,
    (select count(*) from passkeys k where k.person_id = p.id) as passkeys,
    (select count(*) from identities i where i.person_id = p.id) as identities,
    (select count(*) from recovery_codes c where c.person_id = p.id and c.used_at is null) as recovery_codes
from people p
left join passwords w on w.person_id = p.id
left join totps t on t.person_id = p.id
where p.id = @person_id and p.disabled_at is null;

-- name: PasswordOfPerson :one
select hash from passwords where person_id = @person_id;

-- name: SetPassword :exec
insert into passwords (person_id, hash, set_at)
values (@person_id, @hash, @set_at)
on conflict (person_id) do update set
    hash = excluded.hash,
    set_at = excluded.set_at;

-- name: RehashPassword :exec
-- The same password with different costs: the date it was set doesn't change.
update passwords set hash = @hash where person_id = @person_id and hash = @before;

-- name: SessionsOfPerson :many
select
    s.id,
    s.created_at,
    coalesce(s.seen_at, s.created_at)::timestamptz as seen_at,
    coalesce(convert_from(s.data, 'UTF8')::jsonb #>> '{values,way}', '')::text as way,
    coalesce(convert_from(s.data, 'UTF8')::jsonb #>> '{values,from}', '')::text as address,
    coalesce(convert_from(s.data, 'UTF8')::jsonb #>> '{values,agent}', '')::text as agent
from sessions s
where s.person_id = @person_id::bigint and s.expiry > @now and coalesce(s.seen_at, s.created_at) > @idle_since
order by coalesce(s.seen_at, s.created_at) desc, s.id desc;

-- name: EndSession :execrows
delete from sessions where person_id = @person_id::bigint and id = @id;

-- name: EndOtherSessions :execrows
delete from sessions where person_id = @person_id::bigint and id <> @keep;

-- name: TouchSession :exec
-- The statement checks again, so that only one of several at once writes.
update sessions
set seen_at = @now
where id = @id and coalesce(seen_at, created_at) <= @before;

-- name: RenamePerson :exec
update people set name = @name where id = @id;

-- name: SetLanguage :exec
update people set language = nullif(@language::text, '') where id = @id;

-- name: LinkUsable :one
-- The person a link is for, and who made it. Reading it doesn't use it up. An invitation works only until
-- the person joins.
select sqlc.embed(p), l.expires_at, coalesce(b.name, '')::text as made_by
from sign_in_links l
join people p on p.id = l.person_id
left join people b on b.id = l.created_by
where l.token_hash = @token_hash
    and l.purpose = @purpose
    and l.used_at is null
    and l.expires_at > @now
    and p.disabled_at is null
    and (l.purpose <> 'invitation' or p.joined_at is null);

-- name: UseLink :one
-- One statement checks and marks, so that only one of several at once gets a row. An invitation is for
-- people who haven't joined yet, a reset for those who have.
update sign_in_links l
set used_at = @now::timestamptz
from people p
where l.token_hash = @token_hash
    and l.purpose = @purpose
    and l.used_at is null
    and l.expires_at > @now::timestamptz
    and p.id = l.person_id
    and p.disabled_at is null
    and (l.purpose = 'sign-in' or (p.joined_at is null) = (l.purpose = 'invitation'))
returning p.*;

-- name: JoinPerson :execrows
update people set joined_at = @now, name = @name where id = @id and joined_at is null;

-- name: MarkJoined :exec
-- Someone who can sign in on their own is no longer just invited.
update people set joined_at = coalesce(joined_at, sqlc.arg(now)::timestamptz) where id = @id;

-- name: StartTOTP :exec
-- A confirmed one stays; an unconfirmed one is replaced.
insert into totps (person_id, secret_sealed, key_id, created_at)
values (@person_id, @secret_sealed, @key_id, @created_at)
on conflict (person_id) do update set
    secret_sealed = excluded.secret_sealed,
    key_id = excluded.key_id,
    created_at = excluded.created_at,
    last_step = 0
where totps.confirmed_at is null;

-- name: TOTPOfPerson :one
select * from totps where person_id = @person_id;

-- name: ConfirmTOTP :execrows
update totps
set confirmed_at = @now, last_step = @step
where person_id = @person_id and confirmed_at is null and created_at > @since;

-- name: TakeTOTPStep :execrows
-- A code counts once: of two at the same time, the second finds its time step used.
update totps
set last_step = @step
where person_id = @person_id and confirmed_at is not null and last_step < @step;

-- name: DeleteTOTP :execrows
delete from totps where person_id = @person_id;

-- name: InsertRecoveryCode :exec
insert into recovery_codes (code_hash, person_id) values (@code_hash, @person_id);

-- name: DeleteRecoveryCodes :exec
delete from recovery_codes where person_id = @person_id;

-- name: UseRecoveryCode :execrows
update recovery_codes
set used_at = @now
where code_hash = @code_hash and person_id = @person_id and used_at is null;

-- name: DeletePasskeysOfPerson :execrows
delete from passkeys where person_id = @person_id;

-- name: PersonByHandle :one
select * from people where handle = @handle and disabled_at is null;

-- name: PasskeysOfPerson :many
select * from passkeys where person_id = @person_id order by id;

-- name: InsertPasskey :exec
insert into passkeys (person_id, name, credential_id, credential, created_at)
values (@person_id, @name, @credential_id, @credential, @created_at);

-- name: UsePasskey :execrows
update passkeys
set credential = @credential, last_used_at = @now
where credential_id = @credential_id and person_id = @person_id;

-- name: RenamePasskey :execrows
update passkeys set name = @name where id = @id and person_id = @person_id;

-- name: DeletePasskey :one
delete from passkeys where id = @id and person_id = @person_id returning name;

-- name: PersonByIdentity :one
select p.*
from identities i
join people p on p.id = i.person_id
where i.issuer = @issuer and i.subject = @subject;

-- name: IdentitiesOfPerson :many
select * from identities where person_id = @person_id order by created_at, issuer, subject;

-- name: InsertIdentity :exec
insert into identities (issuer, subject, person_id, email, created_at)
values (@issuer, @subject, @person_id, @email, @created_at);

-- name: UseIdentity :exec
update identities set last_used_at = @now, email = @email where issuer = @issuer and subject = @subject;

-- name: DeleteIdentity :one
delete from identities
where issuer = @issuer and subject = @subject and person_id = @person_id
returning email;

-- name: InvitationOpen :one
select exists (
    select 1
    from sign_in_links
    where person_id = @person_id and purpose = 'invitation' and used_at is null and expires_at > @now
);
