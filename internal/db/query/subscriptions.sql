-- The weekly mail as people see it: who gets which, what happened to each, and inviting someone to agree.

-- name: ListSubscriptions :many
-- A person's own, or everyone's for the scope's stores.
select
    s.id, s.store_id, s.person_id,
    coalesce(t.slug, '')::text as slug,
    coalesce(t.name, '')::text as store_name,
    coalesce(s.zone, t.timezone)::text as timezone,
    lower(coalesce(p.email, s.address))::text as address,
    coalesce(p.name, '')::text as person_name,
    coalesce(p.disabled_at is not null, false)::boolean as disabled,
    s.language, s.weekday, s.hour, s.pdf, s.created_at,
    coalesce(b.name, '')::text as made_by,
    s.confirmed_at, s.confirm_until,
    -- the epoch: none yet
    coalesce((select max(d.sent_at) from deliveries d where d.subscription_id = s.id), 'epoch')::timestamptz as last_sent
from subscriptions s
left join stores t on t.id = s.store_id
left join people p on p.id = s.person_id
left join people b on b.id = s.created_by
where s.ended_at is null
    and (s.store_id is null or (t.id is not null and t.removed_at is null))
    and (@every::boolean or s.store_id is null or s.store_id = any(@stores::bigint[]))
    and (s.person_id is not distinct from @person_id::bigint) = @own::boolean
    and (@slug::text = '' or t.slug = @slug::text)
order by t.name nulls first, t.slug, address, s.id
limit @most;

-- name: VisibleSubscription :one
-- One subscription, if the principal may see it: their own, or any for a store that they manage.
select
    s.id, s.person_id,
    coalesce(t.slug, '')::text as slug,
    coalesce(t.name, '')::text as store_name,
    coalesce(s.zone, t.timezone)::text as timezone,
    lower(coalesce(p.email, s.address))::text as address,
    s.language, s.weekday, s.hour, s.pdf, s.confirmed_at, s.confirm_until
from subscriptions s
left join stores t on t.id = s.store_id
left join people p on p.id = s.person_id
where s.id = @id and s.ended_at is null
    and (s.store_id is null or (t.id is not null and t.removed_at is null))
    and (@every::boolean or s.store_id is null or s.store_id = any(@stores::bigint[]))
    and (s.person_id = @person_id::bigint or (@others::boolean and s.address is not null));

-- name: ListDeliveries :many
-- Newest first; the next page starts after the last one of the previous page.
select
    d.id, d.week, d.due_at, d.state, d.subject, d.tries, d.failures, d.next_at, d.sent_at, d.reason,
    coalesce(t.slug, '')::text as slug,
    coalesce(t.name, '')::text as store_name,
    coalesce(s.zone, t.timezone)::text as timezone,
    lower(coalesce(d.address, p.email, s.address))::text as address,
    (s.ended_at is not null)::boolean as subscription_ended,
    -- the later mail that covers it
    c.week as carrier_week, c.sent_at as carrier_sent_at
from deliveries d
left join deliveries c on c.id = d.folded_into and not d.resent
join subscriptions s on s.id = d.subscription_id
left join stores t on t.id = d.store_id
left join people p on p.id = s.person_id
where (d.store_id is null or (t.id is not null and t.removed_at is null))
    and (@every::boolean or s.person_id = @person_id::bigint or d.store_id = any(@stores::bigint[]))
    and (@slug::text = '' or t.slug = @slug::text)
    and (@state::text = '' or d.state = @state::text)
    and (d.due_at, d.id) < (@before_at::timestamptz, @before_id::bigint)
order by d.due_at desc, d.id desc
limit @most;

-- name: SubscribePerson :one
-- No row: the person already has this one.
insert into subscriptions (store_id, person_id, language, weekday, hour, week_begins, zone, pdf, created_at, created_by, confirmed_at)
values (sqlc.narg(store_id), @person_id, @language, @weekday, @hour, @week_begins, sqlc.narg(zone), @pdf, @now, @person_id, @now::timestamptz)
on conflict do nothing
returning id;

-- name: AskAddress :one
-- Inviting an address; an earlier invitation about this store is sent again. No row: the reader has
-- already agreed.
insert into subscriptions (store_id, address, language, weekday, hour, week_begins, pdf, created_at, created_by, confirm_hash, confirm_until)
values (@store_id::bigint, @address::text, @language, @weekday, @hour, @week_begins, @pdf, @now, sqlc.narg(made_by)::bigint, @hash::bytea, @until::timestamptz)
on conflict (address, store_id) where address is not null and ended_at is null do update
set language = excluded.language, weekday = excluded.weekday, hour = excluded.hour, pdf = excluded.pdf,
    created_by = excluded.created_by, confirm_hash = excluded.confirm_hash, confirm_until = excluded.confirm_until
where subscriptions.confirmed_at is null
returning id;

-- name: LockAddress :exec
-- Only one transaction at a time may invite an address, until it commits.
select pg_advisory_xact_lock(@class::integer, hashtext(@address::text));

-- name: AskedSince :one
-- Whether the address has an invitation, about any store, that expires after that time.
select exists (
    select from subscriptions where address = @address::text and confirm_until > @until::timestamptz
)::boolean;

-- name: Suppressed :one
select exists (select from suppressions where address = @address)::boolean;

-- name: NotAsked :exec
-- The invitation mail wasn't sent.
update subscriptions set confirm_until = null, confirm_hash = null where id = @id and confirm_hash = @hash::bytea and confirmed_at is null;

-- name: ChangeSubscription :execrows
update subscriptions
set language = @language, weekday = @weekday, hour = @hour, pdf = @pdf, zone = case when store_id is null then sqlc.narg(zone) end
where id = @id and ended_at is null;

-- name: EndSubscription :execrows
update subscriptions set ended_at = @now::timestamptz, end_cause = @cause::text where id = @id and ended_at is null;

-- name: AskedSubscription :one
select
    s.id, s.address, s.language, s.weekday, s.hour, s.confirmed_at, s.confirm_until,
    t.name as store_name, t.slug, t.timezone,
    coalesce(b.name, '')::text as made_by
from subscriptions s
join stores t on t.id = s.store_id
left join people b on b.id = s.created_by
where s.confirm_hash = @hash::bytea and s.ended_at is null and t.removed_at is null
    and (s.confirmed_at is not null or s.confirm_until > @now::timestamptz);

-- name: ConfirmSubscription :execrows
update subscriptions set confirmed_at = @now::timestamptz
where id = @id and confirm_hash = @hash::bytea and confirmed_at is null and ended_at is null and confirm_until > @now::timestamptz;

-- name: LinkedSubscription :one
-- What the secret in a mail leads to.
select
    s.id, s.store_id, s.person_id, s.language, s.weekday, s.hour, s.ended_at,
    lower(coalesce(p.email, s.address))::text as address,
    coalesce(t.name, '')::text as store_name,
    coalesce(t.slug, '')::text as slug,
    coalesce(s.zone, t.timezone)::text as timezone
from mail_links l
join subscriptions s on s.id = l.subscription_id
left join stores t on t.id = s.store_id
left join people p on p.id = s.person_id
where l.hash = @hash::bytea;

-- name: LinkedAlerts :one
-- Whose alert mails the secret in one belongs to.
select p.id, lower(p.email)::text as address, coalesce(a.mail, true)::boolean as mail
from mail_links l
join people p on p.id = l.person_id
left join alert_settings a on a.person_id = p.id
where l.hash = @hash::bytea;

-- name: EndAlertMails :execrows
-- No row: they had already ended.
insert into alert_settings (person_id, mail) values (@person_id, false)
on conflict (person_id) do update set mail = false where alert_settings.mail;

-- name: LinkedMail :one
-- As long as its reader may see every store that it shows.
select d.body, d.subject
from mail_links l
join deliveries d on d.id = l.delivery_id
where l.hash = @hash::bytea and d.body is not null and reader_holds(d.subscription_id, d.stores);

-- name: LinkedWeeks :many
-- The earlier weeks that the mail with that secret covers, directly or through one it covers: as long
-- as what was sent instead is kept, and the reader may see their store.
select d.week
from mail_links l
join deliveries m on m.id = l.delivery_id
join deliveries d on d.subscription_id = l.subscription_id and d.week < m.week
join deliveries c on c.id = d.folded_into and c.body is not null
where l.hash = @hash::bytea
    and reader_holds(d.subscription_id, case when d.store_id is null then '{}' else array[d.store_id] end)
    and week_has_numbers(d.subscription_id, d.week)
order by d.week desc;

-- name: DeliveryToResend :one
select d.id, d.state, d.subscription_id, s.person_id, coalesce(t.slug, '')::text as slug, coalesce(t.name, '')::text as store_name,
    lower(coalesce(p.email, s.address))::text as address, d.week
from deliveries d
join subscriptions s on s.id = d.subscription_id
left join stores t on t.id = d.store_id
left join people p on p.id = s.person_id
where d.id = @id and s.ended_at is null and t.removed_at is null;

-- name: ListSuppressions :many
select * from suppressions order by created_at desc, address limit 500;

-- name: LiftSuppression :execrows
delete from suppressions where address = @address;

-- name: SubscriptionOf :one
-- A reader's subscription, by their address; an empty slug is the one for all stores.
select s.id
from subscriptions s
left join stores t on t.id = s.store_id
left join people p on p.id = s.person_id
where lower(coalesce(p.email, s.address)) = lower(@address::text) and coalesce(t.slug, '') = @slug::text and s.ended_at is null;
