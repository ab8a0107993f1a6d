-- Everything through which a person, or something that they left behind, can still see data or act.
-- These statements are above grants, like the worker.

-- name: ReachOfPerson :many
-- One row for each thing that hasn't ended, whether or not it works right now. The year 1 means an
-- unknown time, or none.
with p as (
    select
        o.*,
        (o.disabled_at is null)::boolean as active,
        (o.role = 'admin' or exists (select from grants g where g.person_id = o.id))::boolean as sees
    from people o
    where o.id = @person_id
)
select
    'role'::text as kind,
    p.role::text as what,
    ''::text as note,
    -- every: all stores; else those named, which may be none
    true::boolean as every,
    ''::text as slug,
    '{}'::text[] as stores,
    '0001-01-01'::timestamptz as since,
    '0001-01-01'::timestamptz as until,
    -- the id that its page is found by, where that is not the person's
    0::bigint as ref,
    p.active::boolean as works
from p
where p.role = 'admin'
union all
select
    case when g.group_id is not null then 'group' when g.store_id is not null then 'grant' else 'every' end,
    coalesce(r.name, s.name, ''),
    '',
    g.group_id is null and g.store_id is null,
    coalesce(s.slug, ''),
    case when s.id is not null then array[s.name] else coalesce((
        select array_agg(t.name order by lower(t.name), t.id)
        from group_stores m
        join stores t on t.id = m.store_id and t.removed_at is null
        where m.group_id = g.group_id
    ), '{}') end,
    g.created_at, '0001-01-01', coalesce(g.group_id, 0),
    p.active and s.removed_at is null
from p
join grants g on g.person_id = p.id
left join stores s on s.id = g.store_id
left join groups r on r.id = g.group_id
union all
select 'password', '', '', false, '', '{}', w.set_at, '0001-01-01', 0, p.active
from p
join passwords w on w.person_id = p.id
union all
select 'app', '', '', false, '', '{}', t.created_at, '0001-01-01', 0, p.active
from p
join totps t on t.person_id = p.id
union all
select 'recovery', count(*)::text, '', false, '', '{}', '0001-01-01', '0001-01-01', 0, bool_and(p.active)
from p
join recovery_codes c on c.person_id = p.id and c.used_at is null
having count(*) > 0
union all
select 'passkey', k.name, '', false, '', '{}', k.created_at, '0001-01-01', 0, p.active
from p
join passkeys k on k.person_id = p.id
union all
select 'identity', i.email, i.issuer, false, '', '{}', i.created_at, '0001-01-01', 0, p.active
from p
join identities i on i.person_id = p.id
union all
select
    'session',
    coalesce(convert_from(e.data, 'UTF8')::jsonb #>> '{values,agent}', ''),
    coalesce(convert_from(e.data, 'UTF8')::jsonb #>> '{values,from}', ''),
    false, '', '{}', e.created_at, least(e.expiry, coalesce(e.seen_at, e.created_at) + @idle::interval), 0, p.active
from p
join sessions e on e.person_id = p.id
where e.expiry > @now and coalesce(e.seen_at, e.created_at) + @idle::interval > @now
union all
select 'link', l.purpose, coalesce(b.name, ''), false, '', '{}', l.created_at, l.expires_at, 0, p.active
from p
join sign_in_links l on l.person_id = p.id
left join people b on b.id = l.created_by
where l.used_at is null and l.expires_at > @now
union all
select 'sent', o.email, l.purpose, false, '', '{}', l.created_at, l.expires_at, o.id, o.disabled_at is null
from p
join sign_in_links l on l.created_by = p.id and l.person_id <> p.id
join people o on o.id = l.person_id
where l.used_at is null and l.expires_at > @now
union all
-- A token made before tokens had owners names its maker by their address.
select
    'token', t.name, '',
    exists (select from grants g where g.api_token_id = t.id and g.store_id is null and g.group_id is null),
    '',
    coalesce((
        select array_agg(distinct s.name)
        from grants g
        left join group_stores m on m.group_id = g.group_id
        join stores s on s.id = coalesce(g.store_id, m.store_id) and s.removed_at is null
        where g.api_token_id = t.id
    ), '{}'),
    t.created_at, t.expires_at, 0, t.owner_id is null or (p.active and p.role = 'admin')
from p
join api_tokens t on t.owner_id = p.id or (t.owner_id is null and lower(t.made_by) = lower(p.email))
where t.revoked_at is null and t.expires_at > @now
union all
select 'share', h.label, array_to_string(h.pages, ', '), false, s.slug, array[s.name], h.created_at, h.expires_at, 0, p.active and s.removed_at is null
from p
join shares h on h.created_by = p.id
join stores s on s.id = h.store_id
where h.revoked_at is null and h.expires_at > @now
union all
select
    'channel', c.name, c.host, false, coalesce(s.slug, ''),
    case when s.id is null then '{}' else array[s.name] end,
    c.created_at, '0001-01-01', 0, p.active and p.role <> 'viewer' and c.off_at is null
from p
join alert_channels c on c.person_id = p.id
left join stores s on s.id = c.store_id
union all
select 'alerts', lower(p.email), '', p.role = 'admin', '', '{}', coalesce(p.joined_at, '0001-01-01'), '0001-01-01', 0, p.active
from p
left join alert_settings x on x.person_id = p.id
where p.sees and p.joined_at is not null and coalesce(x.mail, true)
union all
select
    'mail', lower(p.email), '', false, coalesce(t.slug, ''),
    case when t.id is null then '{}' else array[t.name] end,
    s.created_at, '0001-01-01', s.id, p.active
from p
join subscriptions s on s.person_id = p.id
left join stores t on t.id = s.store_id
where s.ended_at is null
union all
select
    'reader', s.address, '', false, t.slug, array[t.name], s.created_at, coalesce(case when s.confirmed_at is null then s.confirm_until end, '0001-01-01'),
    s.id, t.removed_at is null
from p
join subscriptions s on s.created_by = p.id and s.address is not null
join stores t on t.id = s.store_id
where s.ended_at is null and (s.confirmed_at is not null or s.confirm_until > @now)
union all
-- Links in sent mails, which work for 60 days, even after their subscription has ended.
select
    'opened', lower(coalesce(s.address, p.email)), count(*)::text, false, coalesce(t.slug, ''),
    case when t.id is null then '{}' else array[t.name] end,
    min(d.written_at), max(d.written_at) + @mails_kept::interval, 0, bool_or(reader_holds(s.id, d.stores))
from p
join subscriptions s on s.person_id = p.id or (s.created_by = p.id and s.address is not null)
join deliveries d on d.subscription_id = s.id and d.body is not null and d.written_at + @mails_kept::interval > @now
left join stores t on t.id = s.store_id
where s.end_cause is distinct from 'removed' and exists (select from mail_links l where l.delivery_id = d.id)
group by s.id, t.id, p.email
union all
select
    'restore', s.name, '', false, s.slug, array[s.name], s.removed_at, s.removed_at + @removed_for::interval, 0,
    p.role in ('admin', 'merchant') and exists (
        select from stores_held(p.id, null, null) h
        where h.every_store or s.id = any(h.store_ids)
    )
from p
join stores s on s.removed_by_person = p.id
where s.removed_at + @removed_for::interval > @now
union all
select 'pending', '', '', false, '', '{}', '0001-01-01', c.expires_at, 0, p.active and p.role in ('admin', 'merchant')
from p
join pending_connections c on c.person_id = p.id
where c.store_id is null and c.expires_at > @now;

-- name: TakeGrants :exec
delete from grants where person_id = @person_id::bigint;

-- name: DeletePassword :exec
delete from passwords where person_id = @person_id;

-- name: DeleteIdentitiesOfPerson :exec
delete from identities where person_id = @person_id;

-- name: DeleteLinksMadeBy :exec
delete from sign_in_links where created_by = @person_id::bigint and used_at is null;

-- name: RevokeTokensOfPerson :exec
update api_tokens t
set revoked_at = @now::timestamptz
from people p
where p.id = @person_id and t.revoked_at is null and (t.owner_id = p.id or (t.owner_id is null and lower(t.made_by) = lower(p.email)));

-- name: RevokeSharesOfPerson :exec
update shares set revoked_at = @now::timestamptz where created_by = @person_id::bigint and revoked_at is null;

-- name: DeleteChannelsOfPerson :exec
delete from alert_channels where person_id = @person_id;

-- name: EndSubscriptionsOfPerson :exec
-- This includes addresses that they added, and those whose readers had already unsubscribed: the cause
-- closes the web views of what was sent.
update subscriptions
set ended_at = coalesce(ended_at, @now::timestamptz), end_cause = 'removed'
where (person_id = @person_id::bigint or (created_by = @person_id::bigint and address is not null)) and end_cause is distinct from 'removed';

-- name: ForgetRemover :exec
-- Administrators can still restore the store.
update stores set removed_by_person = null where removed_by_person = @person_id::bigint;

-- name: DeletePendingOfPerson :exec
delete from pending_connections where person_id = @person_id and store_id is null;

-- name: SeesAll :one
-- Whether the user may see every store, according to the database itself.
select coalesce(sees_all(), false)::boolean;
