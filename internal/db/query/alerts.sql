-- Alerts, for the worker: what is wrong with stores, who is notified, and delivery.

-- name: StoresToCheck :many
-- Something was pulled since the last check, or it's time for the next.
select s.id
from stores s
left join alert_checks c on c.store_id = s.id
where s.removed_at is null
  and (c.store_id is null or c.next_at <= @now::timestamptz or c.revision <> s.revision)
  and (cardinality(@chosen::bigint[]) = 0 or s.id = any(@chosen))
order by c.next_at nulls first, s.id;

-- name: MakeAlertCheck :exec
insert into alert_checks (store_id) values (@store_id) on conflict do nothing;

-- name: LockAlertCheck :one
-- No row: another process is checking the store right now, or already has.
select c.worked, s.revision, s.slug, s.name, s.timezone, s.currency, s.paused_at, s.upsell_pulled_at, s.gift_pulled_at, s.last_day, s.days_planned, s.days_left
from alert_checks c
join stores s on s.id = c.store_id
where c.store_id = @store_id and s.removed_at is null
  and (c.next_at <= @now::timestamptz or c.revision <> s.revision)
for update of c skip locked;

-- name: SaveAlertCheck :exec
update alert_checks set revision = @revision, next_at = @next_at, worked = @worked where store_id = @store_id;

-- name: UnclosedAlerts :many
select * from alerts where store_id = @store_id and closed_at is null order by id for update;

-- name: SuspectAlert :one
insert into alerts (store_id, rule, subject, since, seen_at, opened_at, title, text, todo, effect, stake, href, evidence)
values (@store_id, @rule, @subject, @since, @seen_at, @opened_at, @title, @text, @todo, @effect, @stake, @href, @evidence)
returning id;

-- name: KeepAlert :exec
-- opened_at is set once; data that arrives later may show that it began earlier. again: it was marked
-- as done, but isn't.
update alerts
set opened_at = coalesce(opened_at, sqlc.narg(opened_at)),
    calm_since = null,
    since = least(since, @since),
    title = @title,
    text = @text,
    todo = @todo,
    effect = @effect,
    stake = @stake,
    href = @href,
    evidence = @evidence,
    done_at = case when @again::boolean then null else done_at end,
    done_by = case when @again::boolean then null else done_by end
where id = @id;

-- name: CalmAlert :exec
update alerts set calm_since = @calm_since where id = @id;

-- name: CloseAlert :exec
update alerts set closed_at = @closed_at, end_cause = @end_cause, end_title = @end_title, end_text = @end_text
where id = @id and closed_at is null;

-- name: ForgetAlert :exec
delete from alerts where id = @id and opened_at is null;

-- name: MostCampaignDays :one
-- The longest notice that anyone wants before a campaign ends: the alert opens then.
select greatest(3, coalesce(max(s.campaign_days), 3))::integer
from alert_settings s
join people p on p.id = s.person_id
where p.disabled_at is null and s.mail;

-- name: TellPeople :execrows
-- The people who may see the store and want to be notified of the rule.
insert into alert_notices (alert_id, store_id, kind, person_id, created_at, at)
select @alert_id, @store_id, 'opened', p.id, @now, @now
from people p
join lateral stores_held(p.id, null, null) h on h.every_store or @store_id = any(h.store_ids)
left join alert_settings s on s.person_id = p.id
left join alert_preferences w on w.person_id = p.id and w.rule = @rule
where p.joined_at is not null
  and coalesce(s.mail, true) and coalesce(w.mail, @by_default::boolean)
on conflict do nothing;

-- name: TellChannels :execrows
-- A channel may send what its owner may see, as long as its owner may share it.
insert into alert_notices (alert_id, store_id, kind, channel_id, created_at, at)
select @alert_id, @store_id, 'opened', c.id, @now, @now
from alert_channels c
join people p on p.id = c.person_id
join lateral stores_held(p.id, null, null) h on h.every_store or @store_id = any(h.store_ids)
where c.off_at is null and p.role <> 'viewer'
  and (c.store_id is null or c.store_id = @store_id)
  and case when c.rules is null then @by_default::boolean else @rule::text = any(c.rules) end
on conflict do nothing;

-- name: DropWaiting :exec
-- Nobody is notified anymore of an outage that is over.
update alert_notices set state = 'dropped', at = @now, reason = @reason
where alert_id = @alert_id and kind = 'opened' and state = 'waiting';

-- name: TellRecovered :execrows
-- Those who were notified of the outage, or are being notified.
insert into alert_notices (alert_id, store_id, kind, person_id, channel_id, created_at, at)
select n.alert_id, n.store_id, 'recovered', n.person_id, n.channel_id, @now, @now
from alert_notices n
where n.alert_id = @alert_id and n.kind = 'opened' and n.state in ('packed', 'sent')
on conflict do nothing;

-- name: DueRecipients :many
-- People and channels with something waiting that can go out now, or is held back and rechecked each time.
-- mails: mail can be sent.
select person_id, channel_id from alert_notices
where state = 'waiting'
union
select person_id, channel_id from alert_letters
where state = 'ready' and next_at <= @now::timestamptz and (held_until is null or held_until <= @now::timestamptz)
  and (channel_id is not null or @mails::boolean)
order by person_id, channel_id;

-- name: LockNotices :many
-- What waits for one person or channel, with what decides about it. opening is the state of the
-- outage's first notice, and its message.
select
    n.id, n.alert_id, n.store_id, n.kind, n.reason,
    a.rule, a.subject, a.title, a.text, a.end_title, a.end_text, a.href, a.since, a.opened_at, a.ended_at, a.evidence,
    s.slug, s.name as store_name, s.timezone,
    (s.removed_at is not null)::boolean as removed,
    coalesce(o.state, '')::text as opening,
    coalesce(ol.message_id, '')::text as opening_message,
    coalesce((
        select h.every_store or n.store_id = any(h.store_ids)
        from stores_held(p.id, null, null) h
    ), false)::boolean as held
from alert_notices n
join alerts a on a.id = n.alert_id
join stores s on s.id = n.store_id
left join alert_channels c on c.id = n.channel_id
left join people p on p.id = coalesce(n.person_id, c.person_id)
left join alert_notices o on o.alert_id = n.alert_id and o.kind = 'opened' and o.person_id is not distinct from n.person_id and o.channel_id is not distinct from n.channel_id
left join alert_letters ol on ol.id = o.letter_id
where n.state = 'waiting' and n.person_id is not distinct from sqlc.narg(person_id) and n.channel_id is not distinct from sqlc.narg(channel_id)
order by n.id
limit @most
for update of n skip locked;

-- name: NotifiedOutages :many
-- The ongoing service outages that this person or channel was notified of.
select distinct (a.evidence ->> 'outage of')::text as outage
from alert_notices n
join alerts a on a.id = n.alert_id
where a.rule = 'outage' and a.closed_at is null and a.evidence ->> 'outage of' is not null
  and n.kind = 'opened' and n.state in ('packed', 'sent')
  and n.person_id is not distinct from sqlc.narg(person_id) and n.channel_id is not distinct from sqlc.narg(channel_id);

-- name: ReaderOfAlerts :one
select
    p.id, lower(p.email)::text as address, p.name,
    coalesce(p.language, '')::text as language,
    coalesce(s.mail, true)::boolean as mail,
    coalesce(s.recoveries, true)::boolean as recoveries,
    s.quiet_from, s.quiet_to,
    coalesce(s.zone, 'UTC')::text as zone,
    coalesce(s.campaign_days, 3)::integer as campaign_days,
    exists (select from suppressions x where x.address = lower(p.email))::boolean as suppressed
from people p
left join alert_settings s on s.person_id = p.id
where p.id = @id;

-- name: LiveSnoozes :many
-- Snoozes that apply to this person or, for a channel, to everyone.
select store_id, rule, subject, until
from alert_snoozes
where ended_at is null and (until is null or until > @now::timestamptz)
  and (person_id is null or person_id = sqlc.narg(person_id)::bigint);

-- name: ChannelToTell :one
-- With its owner's language, which it uses.
select sqlc.embed(c), coalesce(p.language, '')::text as language
from alert_channels c
join people p on p.id = c.person_id
where c.id = @id;

-- name: SettleNotices :exec
update alert_notices set state = @state, at = @now, reason = @reason where id = any(@ids::bigint[]);

-- name: HoldNotices :exec
-- They keep waiting, with the reason.
update alert_notices set reason = @reason where id = any(@ids::bigint[]) and reason <> @reason;

-- name: InsertLetter :one
insert into alert_letters (person_id, channel_id, store_id, message_id, address, body, created_at, next_at)
values (@person_id, @channel_id, @store_id, @message_id, @address, @body, @now, @now)
returning id;

-- name: LinkAlerts :exec
-- The secret in a mail about alerts, which unsubscribes from them.
insert into mail_links (hash, person_id) values (@hash, @person_id::bigint);

-- name: TakeBackLetters :execrows
-- A person's mails that no server could be reached for: their content goes into the next one. A mail
-- that was handed over without an answer (tried, and nothing heard since) may have arrived, and stays
-- as it is.
with taken as (
    update alert_letters l set state = 'dropped', reason = @reason, body = null
    where l.id in (
        select t.id
        from alert_letters t
        where t.person_id = @person_id::bigint and t.state = 'ready' and t.held_until is null
          and t.failures = 0 and (t.tries = 0 or t.reason <> '""')
          and exists (select from alert_notices n where n.letter_id = t.id)
        for update of t skip locked
    )
    returning l.id
)
update alert_notices set state = 'waiting', at = @now, letter_id = null
where letter_id in (select id from taken) and state = 'packed';

-- name: PackNotices :exec
update alert_notices set state = 'packed', at = @now, reason = '""', letter_id = @letter_id where id = any(@ids::bigint[]);

-- name: BeginLetter :one
-- The next one of a person or a channel. Only the latest claim records the outcome.
update alert_letters set claim = claim + 1, tries = tries + 1, reason = '""'
where id = (
    select d.id
    from alert_letters d
    where d.state = 'ready' and d.next_at <= @now::timestamptz and (d.held_until is null or d.held_until <= @now::timestamptz)
      and d.person_id is not distinct from sqlc.narg(person_id) and d.channel_id is not distinct from sqlc.narg(channel_id)
    order by d.next_at, d.id
    limit 1
    for update of d skip locked
)
returning id, person_id, channel_id, message_id, address, body, failures, claim;

-- name: LetterMeant :one
-- The final check before it leaves: whether anyone it's for gets anything at all, and whether it
-- mentions a store that they can no longer see, or something its channel no longer sends. default_rules
-- are those that are on by default.
select
    (p.disabled_at is null and c.off_at is null and x.address is null
        -- mails about alerts are off; one about a channel is not one
        and (l.channel_id is not null or coalesce(s.mail, true) or not exists (select from alert_notices n where n.letter_id = l.id)))::boolean as meant,
    exists (
        select from alert_notices n
        join alerts a on a.id = n.alert_id
        where n.letter_id = l.id
          and (
              not exists (
                  select from stores_held(p.id, null, null) h
                  join stores t on t.id = n.store_id and t.removed_at is null
                  where h.every_store or t.id = any(h.store_ids)
              )
              or c.store_id <> n.store_id
              or c.id is not null and a.rule <> all(coalesce(c.rules, @default_rules::text[]))
          )
    )::boolean as outdated
from alert_letters l
left join alert_channels c on c.id = l.channel_id
join people p on p.id = coalesce(l.person_id, c.person_id)
left join alert_settings s on s.person_id = p.id
left join suppressions x on l.person_id is not null and x.address = l.address
where l.id = @id;

-- name: DropLetter :execrows
-- Its notices go into another letter.
update alert_letters set state = 'dropped', reason = @reason, body = null
where id = @id and claim = @claim and state = 'ready';

-- name: UnpackNotices :exec
update alert_notices set state = 'waiting', at = @now, letter_id = null where letter_id = @letter_id and state = 'packed';

-- name: SettleLetter :execrows
update alert_letters
set state = @state,
    next_at = @next_at,
    failures = failures + sqlc.arg(failed)::integer,
    reason = @reason,
    sent_at = case when sqlc.arg(state) = 'sent' then @now::timestamptz end,
    body = case when sqlc.arg(state) = 'ready' then body end,
    held_until = sqlc.narg(held_until)
where id = @id and claim = @claim and state = 'ready';

-- name: SettlePacked :exec
-- The notices of a letter that has reached a final state.
update alert_notices set state = @state, at = @now, reason = @reason where letter_id = @letter_id and state = 'packed';

-- name: LockChannel :exec
-- Before its letters: turning it off drops them all.
select id from alert_channels where id = @id for no key update;

-- name: ChannelTook :exec
update alert_channels set sent_at = @now::timestamptz, failing_since = null, reason = '""' where id = @id;

-- name: ChannelFailed :one
-- Returns since when it has been failing.
update alert_channels set failing_since = coalesce(failing_since, @now::timestamptz), reason = @reason where id = @id
returning failing_since::timestamptz;

-- name: SwitchOffChannel :one
-- Succeeds once: the caller then tells its owner.
update alert_channels c set off_at = @now::timestamptz, off_cause = 'failing'
from people p
where c.id = @id and c.off_at is null and p.id = c.person_id
returning c.name, c.host, p.id as person_id, lower(p.email)::text as address, coalesce(p.language, '')::text as language, (p.disabled_at is null)::boolean as active;

-- name: DropLetters :exec
-- For a channel that was turned off.
update alert_letters set state = 'dropped', reason = @reason, body = null
where channel_id = @channel_id and state = 'ready';

-- name: DropNotices :exec
update alert_notices set state = 'dropped', at = @now, reason = @reason where channel_id = @channel_id and state in ('waiting', 'packed');

-- name: AlertFigures :one
-- For the program's operators.
select
    (select count(*) from alerts where opened_at is not null and closed_at is null)::bigint as open,
    (select count(*) from alert_notices where state = 'waiting')::bigint as waiting,
    (select count(*) from alert_letters where state = 'ready' and failures > 0)::bigint as late,
    (select count(*) from alert_channels where off_cause = 'failing')::bigint as off,
    coalesce((select min(next_at) from alert_checks c join stores s on s.id = c.store_id where s.removed_at is null), '0001-01-01')::timestamptz as oldest;
