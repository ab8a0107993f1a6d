-- What pages show and change about alerts. Each statement names what its principal may see; other
-- people's snoozes and channels don't appear.

-- name: ShownOpenAlerts :many
-- The open ones, store by store, each with the snooze that lasts longest. Alerts that stop a store's
-- numbers come first, then those with the most at stake. The rules are passed most urgent first; the
-- ones at the start stop the numbers.
select
    a.*, s.slug, s.name as store_name, s.timezone,
    coalesce(p.name, '') as assigned_name,
    coalesce(m.id, 0)::bigint as snooze_id, m.person_id as snooze_person, m.store_id as snooze_store, m.rule as snooze_rule,
    m.subject as snooze_subject, m.until as snooze_until
from alerts a
join stores s on s.id = a.store_id
left join people p on p.id = a.assigned_to
left join lateral (
    select *
    from snoozes_of(a.store_id, a.rule, a.subject, @person_id::bigint, @now::timestamptz) m
    order by m.until desc nulls first, m.id
    limit 1
) m on true
where a.closed_at is null and a.done_at is null and s.removed_at is null
  and (@every_store::boolean or a.store_id = any(@store_ids::bigint[]))
  and (@slug::text = '' or s.slug = @slug)
order by
    lower(s.name), s.id,
    coalesce(array_position(@rules::text[], a.rule), 0) > @stopping::integer,
    a.stake desc nulls last,
    coalesce(array_position(@rules::text[], a.rule), 0),
    a.seen_at desc, a.id desc
limit @most;

-- name: ShownPastAlerts :many
-- Those that ended, newest end first; the next page starts after the last one shown.
select a.*, s.slug, s.name as store_name, s.timezone, coalesce(p.name, '') as done_name
from alerts a
join stores s on s.id = a.store_id
left join people p on p.id = a.done_by
where a.ended_at is not null and s.removed_at is null
  and (@every_store::boolean or a.store_id = any(@store_ids::bigint[]))
  and (@slug::text = '' or s.slug = @slug)
  and (cardinality(@rules::text[]) = 0 or a.rule = any(@rules))
  and (sqlc.narg(behind)::timestamptz is null or (a.ended_at, a.id) < (sqlc.narg(behind), sqlc.arg(behind_id)::bigint))
order by a.ended_at desc, a.id desc
limit @most;

-- name: CountEndedAlerts :one
select count(*)
from alerts a
join stores s on s.id = a.store_id
where a.ended_at > @since::timestamptz and s.removed_at is null
  and (@every_store::boolean or a.store_id = any(@store_ids::bigint[]))
  and (@slug::text = '' or s.slug = @slug);

-- name: NeedsOfStores :many
-- For each store, the most important open alert that this person hasn't snoozed, and how many there
-- are; sorted like ShownOpenAlerts.
select distinct on (a.store_id) a.store_id, a.rule, a.subject, a.title, a.todo, a.text, a.since, count(*) over (partition by a.store_id) as alerts
from alerts a
where a.closed_at is null and a.done_at is null and a.store_id = any(@store_ids::bigint[])
  and not exists (select from snoozes_of(a.store_id, a.rule, a.subject, @person_id::bigint, @now::timestamptz))
order by
    a.store_id,
    coalesce(array_position(@rules::text[], a.rule), 0) > @stopping::integer,
    a.stake desc nulls last,
    coalesce(array_position(@rules::text[], a.rule), 0),
    a.seen_at desc, a.id desc;

-- name: ShownNotices :many
-- Who was notified of these, and when.
select n.alert_id, n.kind, n.person_id, n.state, n.at, n.reason, coalesce(p.name, '') as person_name, coalesce(c.name, '') as channel_name
from alert_notices n
left join people p on p.id = n.person_id
left join alert_channels c on c.id = n.channel_id
where n.alert_id = any(@alert_ids::bigint[]) and (@every_store::boolean or n.store_id = any(@store_ids::bigint[]))
order by n.at, n.id;

-- name: ShownAlert :one
select a.*, s.slug, s.name as store_name
from alerts a
join stores s on s.id = a.store_id
where a.id = @id and s.removed_at is null
  and (@every_store::boolean or a.store_id = any(@store_ids::bigint[]));

-- name: AlertsWatched :one
-- When the next check of one of the stores was due; if that's long past, nothing is being checked.
select coalesce(max(c.next_at), 'epoch')::timestamptz as next_at
from alert_checks c
join stores s on s.id = c.store_id
where s.removed_at is null
  and (@every_store::boolean or c.store_id = any(@store_ids::bigint[]))
  and (@slug::text = '' or s.slug = @slug);

-- name: PeopleOfStores :many
-- Who may see each of these stores, and so may be assigned its alerts.
select s.slug, p.id, p.name
from stores s
join people p on p.disabled_at is null and p.joined_at is not null
join lateral stores_held(p.id, null, null) h on h.every_store or s.id = any(h.store_ids)
where s.slug = any(@slugs::text[]) and s.removed_at is null and (@every_store::boolean or s.id = any(@store_ids::bigint[]))
order by s.slug, lower(p.name), p.id;

-- name: AssignAlert :one
-- To someone who may see its store, or to nobody.
update alerts a set assigned_to = sqlc.narg(person_id)::bigint
from stores s
where a.id = @id and s.id = a.store_id and s.removed_at is null and a.closed_at is null
  and (@every_store::boolean or a.store_id = any(@store_ids::bigint[]))
  and (sqlc.narg(person_id)::bigint is null or exists (
      select
      from people p
      join lateral stores_held(p.id, null, null) h on h.every_store or a.store_id = any(h.store_ids)
      where p.id = sqlc.narg(person_id)::bigint and p.disabled_at is null
  ))
returning s.slug, a.rule, coalesce((select p.name from people p where p.id = sqlc.narg(person_id)::bigint), '')::text as name;

-- name: EndAlert :one
-- Someone marks it as done, or as not done.
update alerts a set
    done_at = case when @done::boolean then coalesce(a.done_at, @now::timestamptz) end,
    done_by = case when @done::boolean then coalesce(a.done_by, @person_id::bigint) end
from stores s
where a.id = @id and s.id = a.store_id and s.removed_at is null and a.closed_at is null
  and (@every_store::boolean or a.store_id = any(@store_ids::bigint[]))
returning s.slug, a.rule;

-- name: ShownSnoozes :many
-- The active ones: the person's own, and those for everyone in stores they may see.
select
    m.id, m.rule, m.subject, m.person_id, m.until, m.created_at,
    coalesce(s.slug, '') as slug, coalesce(s.name, '') as store_name, coalesce(p.name, '') as made_by,
    coalesce((
        select a.title from alerts a
        where a.store_id = m.store_id and a.rule = m.rule and a.subject = m.subject
        order by a.id desc limit 1
    ), '""')::jsonb as title
from alert_snoozes m
left join stores s on s.id = m.store_id
left join people p on p.id = m.created_by
where m.ended_at is null and (m.until is null or m.until > @now::timestamptz)
  and (m.person_id is null or m.person_id = @person_id::bigint)
  and (m.store_id is null or s.removed_at is null and (@every_store::boolean or m.store_id = any(@store_ids::bigint[])))
  and (@slug::text = '' or m.store_id is null or s.slug = @slug)
order by m.id desc
limit 200;

-- name: CountSnoozesBy :one
select count(*) from alert_snoozes where created_by = @created_by::bigint and ended_at is null and (until is null or until > @now::timestamptz);

-- name: InsertSnooze :one
-- It replaces one for the same alerts and people: if both went on, ending one would end nothing.
with earlier as (
    update alert_snoozes m set ended_at = @created_at
    where m.ended_at is null
      and m.store_id is not distinct from @store_id and m.rule is not distinct from @rule
      and m.subject is not distinct from @subject and m.person_id is not distinct from @person_id
)
insert into alert_snoozes (store_id, rule, subject, person_id, until, created_by, created_at)
values (@store_id, @rule, @subject, @person_id, @until, @created_by, @created_at)
returning id;

-- name: EndSnooze :one
-- One of the person's own or, if they may, one for everyone in a store they may see.
update alert_snoozes m set ended_at = @now::timestamptz
where m.id = @id and m.ended_at is null
  and (m.person_id = @person_id::bigint or m.person_id is null and @everyone::boolean)
  and (m.store_id is null or exists (
      select from stores s
      where s.id = m.store_id and s.removed_at is null and (@every_store::boolean or s.id = any(@store_ids::bigint[]))
  ))
returning m.rule, m.person_id, coalesce((select s.slug from stores s where s.id = m.store_id), '')::text as slug;

-- name: AlertSettings :one
select * from alert_settings where person_id = @person_id;

-- name: SaveAlertSettings :exec
insert into alert_settings (person_id, mail, quiet_from, quiet_to, zone, campaign_days, recoveries)
values (@person_id, @mail, @quiet_from, @quiet_to, @zone, @campaign_days, @recoveries)
on conflict (person_id) do update set
    mail = excluded.mail,
    quiet_from = excluded.quiet_from,
    quiet_to = excluded.quiet_to,
    zone = excluded.zone,
    campaign_days = excluded.campaign_days,
    recoveries = excluded.recoveries;

-- name: AlertPreferences :many
select * from alert_preferences where person_id = @person_id;

-- name: ClearAlertPreferences :exec
delete from alert_preferences where person_id = @person_id;

-- name: InsertAlertPreference :exec
insert into alert_preferences (person_id, rule, mail) values (@person_id, @rule, @mail);

-- name: OwnChannels :many
-- Without secrets. A channel for a store that its owner can no longer see sends nothing, and isn't listed.
select
    c.id, c.kind, c.name, c.host, c.rules, c.created_at, c.sent_at, c.failing_since, c.reason, c.off_at, c.off_cause, c.revision,
    (c.store_id is null)::boolean as every_store, coalesce(s.slug, '') as slug, coalesce(s.name, '') as store_name
from alert_channels c
left join stores s on s.id = c.store_id
where c.person_id = @person_id
order by lower(c.name), c.id;

-- name: CountChannels :one
select count(*) from alert_channels where person_id = @person_id;

-- name: InsertChannel :one
-- Its address is encrypted for its row, so only once the row has its id.
insert into alert_channels (store_id, person_id, kind, name, host, sealed, key_id, rules, created_at)
values (@store_id, @person_id, @kind, @name, @host, '', '', @rules, @created_at)
returning id;

-- name: ChannelForChange :one
select * from alert_channels where id = @id and person_id = @person_id for update;

-- name: ShownChannel :one
-- One of the person's own, as in OwnChannels.
select c.id, c.kind, c.name, c.host, c.rules, c.revision, coalesce(s.slug, '') as slug, coalesce(s.name, '') as store_name
from alert_channels c
left join stores s on s.id = c.store_id
where c.id = @id and c.person_id = @person_id and (c.store_id is null or s.removed_at is null);

-- name: EditChannel :exec
-- If the address is a different one, errors at the old address are cleared.
update alert_channels set
    name = @name,
    host = @host,
    store_id = sqlc.narg(store_id),
    rules = sqlc.narg(rules)::text[],
    revision = revision + 1,
    failing_since = case when @moved::boolean then null else failing_since end,
    reason = case when @moved::boolean then '""' else reason end
where id = @id;

-- name: RedirectLetters :exec
-- Messages waiting for a channel go to its new address at once. A job that is sending one to the old
-- address loses its claim, because the outcome says nothing about the new one.
update alert_letters set next_at = @now, failures = 0, claim = claim + 1, held_until = null
where channel_id = @channel_id and state = 'ready';

-- name: SealChannel :exec
update alert_channels set sealed = @sealed, key_id = @key_id where id = @id;

-- name: SwitchChannel :exec
-- Turning it on gives it a fresh start: earlier errors are cleared.
update alert_channels set
    off_at = sqlc.narg(off_at),
    off_cause = sqlc.narg(off_cause),
    failing_since = case when sqlc.narg(off_at)::timestamptz is null then null else failing_since end,
    reason = case when sqlc.narg(off_at)::timestamptz is null then '""' else reason end
where id = @id;

-- name: RemoveChannel :exec
delete from alert_channels where id = @id;

-- name: SealedChannels :many
-- To be encrypted with another key.
select * from alert_channels order by id;
