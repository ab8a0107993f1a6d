-- name: Roster :many
-- Everyone, or the person with that id, with what they may see and how they sign in.
select
    p.id,
    p.email,
    p.name,
    p.role,
    p.disabled_at,
    p.joined_at,
    p.created_at,
    p.mail_problem,
    exists (select 1 from passwords w where w.person_id = p.id) as has_password,
    exists (select 1 from totps t where t.person_id = p.id and t.confirmed_at is not null) as has_totp,
    (select count(*) from passkeys k where k.person_id = p.id)::bigint as passkeys,
    (select count(*) from identities i where i.person_id = p.id)::bigint as identities,
    coalesce((
        select max(l.expires_at)
        from sign_in_links l
        where p.joined_at is null and l.person_id = p.id and l.purpose = 'invitation' and l.used_at is null and l.expires_at > @now::timestamptz
    ), '0001-01-01')::timestamptz as invited_until,
    coalesce((
        select a.at
        from audit a
        where a.action = 'sign-in.succeeded' and a.actor = 'person' and a.actor_id = p.id
        order by a.at desc
        limit 1
    ), '0001-01-01')::timestamptz as signed_in_at,
    exists (select 1 from grants g where g.person_id = p.id and g.store_id is null and g.group_id is null) as every_store,
    coalesce(g.slugs, '{}')::text[] as slugs,
    coalesce(g.store_names, '{}')::text[] as store_names,
    coalesce(g.group_ids, '{}')::bigint[] as group_ids,
    coalesce(g.group_names, '{}')::text[] as group_names
from people p
left join lateral (
    select
        array_agg(s.slug order by lower(s.name), s.id) filter (where s.id is not null) as slugs,
        array_agg(s.name order by lower(s.name), s.id) filter (where s.id is not null) as store_names,
        array_agg(r.id order by lower(r.name), r.id) filter (where r.id is not null) as group_ids,
        array_agg(r.name order by lower(r.name), r.id) filter (where r.id is not null) as group_names
    from grants h
    left join stores s on s.id = h.store_id
    left join groups r on r.id = h.group_id
    where h.person_id = p.id
) g on true
where @person_id::bigint = 0 or p.id = @person_id::bigint
order by p.disabled_at is not null, lower(p.name), p.id;

-- name: LockAdmins :many
-- Those who could manage people from now on. Removing someone's role locks all of these rows until the
-- commit, so that two people can't remove each other's at once.
select id
from people
where role = 'admin' and disabled_at is null and joined_at is not null
order by id
for update;

-- name: IsLastAdmin :one
select
    (count(*) filter (where id = @person_id) = 1 and count(*) = 1)::boolean as last
from people
where role = 'admin' and disabled_at is null and joined_at is not null;

-- name: NoteAccountMail :exec
-- What happened to the last mail about the account with that address; empty: it left.
update people set mail_problem = @problem, mail_id = @message_id::text
where lower(email) = lower(@address) and (mail_problem, mail_id) is distinct from (@problem, @message_id::text);

-- name: SetRole :exec
update people set role = @role where id = @id;

-- name: EnablePerson :exec
update people set disabled_at = null where id = @id;

-- name: AnyPerson :one
-- Whether there is anyone, even invited or disabled.
select exists (select 1 from people);

-- name: LockSetUp :exec
-- Only one first person, however many try at once.
select pg_advisory_xact_lock(hashtextextended('set-up', 0));
