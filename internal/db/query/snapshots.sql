-- The weekly mail: what is due, and its delivery.

-- name: LiveSubscriptions :many
-- A store's mails come one after the other: due ones are written in this order, and a store's readers
-- share its chart images.
select
    s.id, s.weekday, s.hour, s.week_begins,
    coalesce(s.zone, t.timezone)::text as zone,
    s.confirmed_at,
    coalesce((select max(d.week) from deliveries d where d.subscription_id = s.id), '0001-01-01')::date as last_week,
    -- several mails are on their way
    ((
        select count(*) from deliveries d
        where d.subscription_id = s.id and d.state in ('waiting', 'ready') and d.folded_into is null and not d.resent
    ) > 1)::boolean as backlog
from subscriptions s
left join stores t on t.id = s.store_id
where s.confirmed_at is not null and s.ended_at is null and t.removed_at is null
order by s.store_id, s.id;

-- name: LockSubscription :exec
-- Only one transaction at a time makes rows for a subscription.
select id from subscriptions where id = @id for update;

-- name: LastWeekOwed :one
select coalesce(max(week), '0001-01-01')::date as last_week from deliveries where subscription_id = @subscription_id;

-- name: OweDelivery :execrows
insert into deliveries (subscription_id, store_id, week, due_at, next_at, message_id)
select s.id, s.store_id, @week, @due_at, @due_at, @message_id
from subscriptions s
where s.id = @subscription_id
on conflict (subscription_id, week) do nothing;

-- name: FoldBacklog :exec
-- The newest mail covers earlier unsent ones. A mail that is being sent, or was cut off while being
-- handed over, may have arrived, so it goes out by itself, along with what it covers. Once a mail is
-- written, it covers no further ones.
with live as materialized (
    select
        d.id, d.week, d.state, d.folded_into,
        (d.held_until is null or d.held_until <= @now::timestamptz) and not exists (
            select from delivery_tries t where t.delivery_id = d.id and t.ended_at is null
        ) as free
    from deliveries d
    where d.subscription_id = @subscription_id and d.state in ('waiting', 'ready') and not d.resent
    order by d.week desc
    for update of d
), newest as (
    select id, state, free from live where folded_into is null order by week desc limit 1
)
update deliveries d set folded_into = newest.id
from live l, newest
where d.id = l.id and l.id <> newest.id and l.free and newest.free and newest.state = 'waiting'
  and (l.folded_into is null or exists (select from live c where c.id = l.folded_into and c.id <> newest.id and c.free));

-- name: CarriedWeeks :many
-- The earlier weeks that a mail replaces, newest first.
select id, week, week_has_numbers(subscription_id, week) as numbers
from deliveries
where folded_into = @carrier::bigint
order by week desc;

-- name: ExplainCarried :exec
-- Why the replacing mail leaves out some of them.
update deliveries
set reason = case when id = any(@named::bigint[]) then '""'::jsonb else @left_out end
where folded_into = @carrier::bigint and not resent;

-- name: FinishCarried :exec
-- The mail that replaces them was sent.
update deliveries
set state = 'folded', body = null
where folded_into = @carrier::bigint and not resent;

-- name: CarryAnew :exec
-- The mail that covered them failed: the newest of them is written instead, and covers the others.
with carried as (
    select id, week from deliveries where folded_into = @carrier::bigint and state in ('waiting', 'ready') and not resent
), newest as (
    select id from carried order by week desc limit 1
)
update deliveries d
set folded_into = case when d.id <> newest.id then newest.id end,
    state = case when d.id = newest.id then 'waiting' else d.state end,
    body = case when d.id <> newest.id then d.body end,
    written_at = case when d.id <> newest.id then d.written_at end,
    next_at = case when d.id = newest.id then @now::timestamptz else d.next_at end,
    reason = '""'
from carried c, newest
where d.id = c.id;

-- name: DueDeliveries :many
-- The mails of a removed store wait: it may be restored.
select d.id
from deliveries d
where d.state in ('waiting', 'ready')
  and (d.folded_into is null or d.resent)
  and d.next_at <= @now::timestamptz
  and (d.held_until is null or d.held_until <= @now::timestamptz)
  and d.id >= @first::bigint and d.id < @below::bigint
  and not exists (
      select from subscriptions s
      join stores t on t.id = s.store_id
      where s.id = d.subscription_id and t.removed_at is not null
  )
order by d.next_at, d.id;

-- name: BeginDelivery :one
-- Only the latest claim of a mail records its outcome. No row: it's no longer due, or another process
-- has claimed it.
update deliveries d set held_until = @until::timestamptz, claim = claim + 1
where d.id = @id and d.state in ('waiting', 'ready')
  and (d.folded_into is null or d.resent)
  and d.next_at <= @now::timestamptz
  and (d.held_until is null or d.held_until <= @now::timestamptz)
returning d.id, d.subscription_id, d.week, d.due_at, d.state, d.message_id, d.body, d.address, d.failures, d.claim,
    -- what was written shows a store that its reader lost since
    (not reader_holds(d.subscription_id, d.stores))::boolean as outdated;

-- name: DeliveryReader :one
select
    s.store_id, s.person_id, s.language, s.weekday, s.hour, s.pdf,
    coalesce(s.zone, t.timezone)::text as zone,
    lower(coalesce(p.email, s.address))::text as address,
    (
        s.ended_at is not null
        or (p.id is not null and not exists (
            select from stores_held(p.id, null, null) h
            where h.every_store
                or case when s.store_id is null then h.store_ids <> '{}' else s.store_id = any(h.store_ids) end
        ))
    )::boolean as ended,
    exists (select from suppressions x where x.address = lower(coalesce(p.email, s.address)))::boolean as suppressed
from subscriptions s
left join stores t on t.id = s.store_id
left join people p on p.id = s.person_id
where s.id = @id;

-- name: StoreOfMail :one
-- With the time that a mail written earlier must not be older than.
select
    t.slug, t.revision,
    coalesce((select b.revision from branding b), 0)::bigint as branding_revision
from stores t
where t.id = @id;

-- name: ChangedSinceLastMail :many
-- The days in a subscription's last mail whose value has changed since. The old value is the one that
-- the first change after that moment replaced.
with last as (
    select d.week, d.written_at, d.store_id
    from deliveries d
    where d.subscription_id = @subscription_id and d.written_at is not null
      and d.state in ('sent', 'waiting') -- one that is sent again waits
    order by d.written_at desc
    limit 1
), was as (
    select distinct on (r.window_start) r.store_id, r.window_start,
        (r.earlier->>'total_upsold_value')::numeric as value, r.earlier->>'currency' as currency
    from last
    join revisions r on r.store_id = last.store_id and r.pull = 'summary' and r.window_start between last.week and last.week + 6
    where r.window_end = r.window_start and r.replaced_at > last.written_at
    order by r.window_start, r.replaced_at, r.id
)
select was.window_start as day, was.value::numeric as was, was.currency::text as was_currency, s.total_upsold_value, s.currency
from was
join summaries s on s.store_id = was.store_id and s.window_start = was.window_start and s.window_end = was.window_start
where (s.total_upsold_value, s.currency) is distinct from (was.value, was.currency)
order by was.window_start;

-- name: KeepMail :execrows
-- With the secret of its link. stores are those that it shows; links to earlier versions show the same ones.
with d as (
    update deliveries
    set state = 'ready', body = @body, address = @address, subject = @subject, written_at = @now::timestamptz, stores = @stores::bigint[]
    where deliveries.id = @id and claim = @claim and held_until is not null
    returning deliveries.id, deliveries.subscription_id, deliveries.store_id
)
insert into mail_links (hash, subscription_id, delivery_id, store_id)
select @link_hash, d.subscription_id, d.id, d.store_id from d;

-- name: BeginTry :execrows
-- The final check before the mail goes out: the claim is still ours, the subscription hasn't ended
-- since, and its reader may still see every store that the mail shows.
with d as (
    update deliveries set tries = tries + 1
    where deliveries.id = @id and claim = @claim and held_until is not null
      and exists (select from subscriptions s where s.id = deliveries.subscription_id and s.ended_at is null)
      and reader_holds(deliveries.subscription_id, deliveries.stores)
    returning deliveries.id, deliveries.tries, deliveries.store_id
)
insert into delivery_tries (delivery_id, n, store_id, began_at)
select d.id, d.tries, d.store_id, @now from d;

-- name: EndTry :exec
update delivery_tries t
set ended_at = @now::timestamptz, outcome = @outcome, reason = @reason
from deliveries d
where t.delivery_id = @id and d.id = t.delivery_id and t.n = d.tries and t.ended_at is null
  and d.claim = @claim;

-- name: SettleDelivery :execrows
update deliveries
set state = @state,
    next_at = @next_at,
    failures = failures + sqlc.arg(failed)::integer,
    reason = @reason,
    sent_at = case when sqlc.arg(state) = 'sent' then @now::timestamptz end,
    body = case when sqlc.arg(state) in ('waiting', 'ready', 'sent') then body end,
    held_until = sqlc.narg(held_until)
where id = @id and claim = @claim and held_until is not null;

-- name: ResendDelivery :execrows
-- By itself, even if a later mail covered it, and with a new message id: mail clients drop mails with
-- an id they have already seen. chance is the part of the id that nobody can guess.
update deliveries d
set state = 'waiting', next_at = @now, sent_at = null, failures = 0, reason = '""', resent = true,
    message_id = d.week || '.' || d.subscription_id || '.' || sqlc.arg(chance)::text || '@' || split_part(d.message_id, '@', 2)
from subscriptions s
where d.id = @id and s.id = d.subscription_id and s.ended_at is null and d.state not in ('waiting', 'ready');

-- name: CountMails :one
-- What a round did, and what it left for later.
select
    (count(*) filter (where state = 'sent' and sent_at >= @since::timestamptz))::bigint as sent,
    (count(*) filter (where state in ('refused', 'given up', 'suppressed', 'ended') and exists (
        select from delivery_tries t where t.delivery_id = deliveries.id and t.ended_at >= @since::timestamptz
    )))::bigint as refused,
    (count(*) filter (where state in ('waiting', 'ready')))::bigint as left_over
from deliveries;

-- name: Suppress :exec
insert into suppressions (address, cause, created_at) values (@address, @cause, @now)
on conflict (address) do nothing;

-- name: NoteBounce :one
-- Notes a report with the mail that has that id: a weekly mail, one about alerts, or the last one about
-- an account. Returns its address.
with weekly as (
    update deliveries d set reason = @reason where d.message_id = @message_id and d.state = 'sent' and d.address is not null
    returning d.address
),
alerts as (
    update alert_letters l set reason = @reason where l.message_id = @message_id and l.state = 'sent' and l.address is not null
    returning l.address
),
account as (
    update people p set mail_problem = @reason where p.mail_id = @message_id
    returning lower(p.email) as address
)
select w.address::text as address from weekly w
union all
select a.address::text from alerts a
union all
select c.address::text from account c;
