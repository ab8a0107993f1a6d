-- Alerts: what is wrong with a store and what to do about it, who is notified and how. The inbox, "Do
-- next", the header's count and the list of stores all read these rows.
--
-- Only the worker writes alerts, notices and messages. Pages read alerts and notices, assign alerts and
-- mark them as done, write people's own settings and snoozes, and change channels through
-- internal/alert, which encrypts their secrets and checks the person's rights again.

-- +goose Up

-- One row is one outage: from when a rule finds something wrong until it's right again. A rule finds
-- one problem at a time with one subject of a store.
create table alerts (
    id bigint generated always as identity primary key,
    store_id bigint not null references stores on delete cascade,
    -- the key of a rule in internal/report
    rule text not null check (rule ~ '^[a-z]+(-[a-z]+)*$'),
    -- which part of the store: a service, a placement, the id of a campaign; '' is the store itself
    subject text not null default '',
    -- since when it has been wrong, if known, and when we first saw it
    since timestamptz not null,
    seen_at timestamptz not null default now(),
    -- when people were notified; null: not wrong for long enough, but pages list it anyway
    opened_at timestamptz,
    -- since when nothing wrong was seen, until that is long enough to call it over
    calm_since timestamptz,
    closed_at timestamptz,
    -- 'gone': its subject no longer exists, which isn't a recovery
    end_cause text check (end_cause in ('recovered', 'gone')),
    -- the text as last seen: a message of the catalogs and a list of them, with arguments
    title jsonb not null,
    text jsonb not null,
    -- the same for its end, if it recovered
    end_title jsonb not null default '""',
    end_text jsonb not null default '[]',
    -- what to do about it: a message
    todo jsonb not null default '""',
    -- what it costs: a list of messages, first how much, then how that's known
    effect jsonb not null default '[]',
    -- the same as an amount in the store's currency, to sort by; null: not known in money
    stake numeric,
    -- a path with details; '' for none
    href text not null default '',
    -- the numbers and days that the rule used, as arguments for messages
    evidence jsonb not null default '{}',
    -- who is looking after it
    assigned_to bigint references people on delete set null,
    -- when someone marked it as done. Pages no longer list it as open then, though it may still be
    -- wrong: for some rules it comes back after a day.
    done_at timestamptz,
    done_by bigint references people on delete set null,
    -- since when pages list it among those that are over
    ended_at timestamptz generated always as (coalesce(done_at, closed_at)) stored,
    check ((closed_at is null) = (end_cause is null)),
    check (closed_at is null or opened_at is not null or done_at is not null)
);
create unique index alerts_open on alerts (store_id, rule, subject) where closed_at is null;
create index alerts_store on alerts (store_id, opened_at desc);
-- history is shown newest first
create index alerts_past on alerts (store_id, ended_at desc, id desc) where ended_at is not null;
create index alerts_assigned_to on alerts (assigned_to) where assigned_to is not null;
create index alerts_done_by on alerts (done_by) where done_by is not null;

-- When a store was last checked, and up to which of its revisions. A check locks the row, so that two
-- workers never check one store at once.
create table alert_checks (
    store_id bigint primary key references stores on delete cascade,
    revision bigint not null default -1,
    -- when to check again even if nothing was pulled: some rules depend only on time
    next_at timestamptz not null default 'epoch',
    -- when something that a rule watches was last seen working, by name: what never worked can't have stopped
    worked jsonb not null default '{}'
);

-- How a person wants to be notified by mail. No row: the defaults.
create table alert_settings (
    person_id bigint primary key references people on delete cascade,
    -- false: no mails about alerts at all
    mail boolean not null default true,
    -- also when an alert is resolved
    recoveries boolean not null default true,
    -- Quiet hours, in minutes after midnight in zone; from > to spans midnight. Alerts from these hours
    -- are sent when they end, if the problem is still there.
    quiet_from integer check (quiet_from between 0 and 1439),
    quiet_to integer check (quiet_to between 0 and 1439),
    zone text not null default 'UTC',
    -- how many days before a campaign ends to send an alert
    campaign_days integer not null default 3 check (campaign_days between 1 and 30),
    check ((quiet_from is null) = (quiet_to is null)),
    check (quiet_from <> quiet_to)
);

-- Where a person's choice for a rule differs from the rule's default.
create table alert_preferences (
    person_id bigint not null references people on delete cascade,
    rule text not null,
    mail boolean not null,
    primary key (person_id, rule)
);

-- Nothing is sent while a snooze lasts; if the problem is still there when it ends, the alert is sent then.
create table alert_snoozes (
    id bigint generated always as identity primary key,
    -- null: all stores, which people can only choose for themselves
    store_id bigint references stores on delete cascade,
    -- null: every rule
    rule text,
    -- null: every subject of the rule
    subject text check (subject is null or rule is not null),
    -- whose mails it affects; null: everyone's, and the channels' messages
    person_id bigint references people on delete cascade,
    -- null: until someone ends it
    until timestamptz,
    created_by bigint references people on delete set null,
    created_at timestamptz not null default now(),
    ended_at timestamptz,
    check (store_id is not null or person_id is not null)
);
create index alert_snoozes_store on alert_snoozes (store_id) where ended_at is null;
create index alert_snoozes_person on alert_snoozes (person_id) where ended_at is null;

-- The snoozes that apply to an alert for a person.
create function snoozes_of(of_store bigint, of_rule text, of_subject text, for_person bigint, at timestamptz) returns setof alert_snoozes
language sql stable parallel safe as $$
    select *
    from alert_snoozes m
    where m.ended_at is null and (m.until is null or m.until > at)
      and (m.person_id is null or m.person_id = for_person)
      and (m.store_id is null or m.store_id = of_store)
      and (m.rule is null or m.rule = of_rule)
      and (m.subject is null or m.subject = of_subject)
$$;

-- A destination for alerts besides people's mails. It sends what its owner may see, and ends with their
-- account.
create table alert_channels (
    id bigint generated always as identity primary key,
    -- null: all stores that the owner may see
    store_id bigint references stores on delete cascade,
    person_id bigint not null references people on delete cascade,
    kind text not null check (kind in ('slack', 'webhook')),
    name text not null check (name <> ''),
    -- the host of its address, the only part that pages show
    host text not null,
    -- address and signing secret as JSON, encrypted with the key named by key_id for this row
    sealed bytea not null,
    key_id text not null,
    -- the rules that it sends; null: those that are on by default
    rules text[],
    -- Increases with each change by its owner: if its form is open in two windows, the second to save
    -- is told that it has changed.
    revision integer not null default 0,
    created_at timestamptz not null default now(),
    -- the newest message that arrived, and any errors since
    sent_at timestamptz,
    failing_since timestamptz,
    reason jsonb not null default '""',
    -- null: in use. Turned off by a person, or by us after days of failures
    off_at timestamptz,
    off_cause text check (off_cause in ('person', 'failing')),
    check ((off_at is null) = (off_cause is null))
);
create index alert_channels_store on alert_channels (store_id);
create index alert_channels_person on alert_channels (person_id);

-- A message to a person or a channel, about one or more notices. It is written once and kept until its
-- state is final, so that a repeat is the same message.
create table alert_letters (
    id bigint generated always as identity primary key,
    person_id bigint references people on delete cascade,
    channel_id bigint references alert_channels on delete cascade,
    -- null if it covers several stores
    store_id bigint references stores on delete cascade,
    -- Message-ID of a mail, webhook-id of a webhook
    message_id text not null unique,
    -- for a mail
    address text,
    body bytea,
    created_at timestamptz not null,
    state text not null default 'ready' check (state in ('ready', 'sent', 'refused', 'given up', 'dropped')),
    next_at timestamptz not null,
    tries integer not null default 0,
    failures integer not null default 0,
    claim integer not null default 0,
    -- the mail is with a server that hasn't answered yet: nobody else may touch it until then
    held_until timestamptz,
    sent_at timestamptz,
    reason jsonb not null default '""',
    check (num_nonnulls(person_id, channel_id) = 1),
    check (state <> 'ready' or body is not null),
    check ((state = 'sent') = (sent_at is not null))
);
create index alert_letters_next on alert_letters (next_at, id) where state = 'ready';
create index alert_letters_person on alert_letters (person_id);
create index alert_letters_channel on alert_letters (channel_id);
create index alert_letters_store on alert_letters (store_id);

-- Who is notified of what, written once in the transaction that makes the change.
create table alert_notices (
    id bigint generated always as identity primary key,
    alert_id bigint not null references alerts on delete cascade,
    -- the alert's
    store_id bigint not null references stores on delete cascade,
    kind text not null check (kind in ('opened', 'recovered')),
    person_id bigint references people on delete cascade,
    channel_id bigint references alert_channels on delete cascade,
    created_at timestamptz not null,
    -- waiting: for the end of quiet hours or of a snooze, see reason; packed: in a letter that is being
    -- sent; dropped: no longer worth sending; failed: it didn't arrive
    state text not null default 'waiting' check (state in ('waiting', 'packed', 'sent', 'dropped', 'failed')),
    -- when it got its state
    at timestamptz not null,
    -- why it waits or was dropped, or what the other side answered: a message
    reason jsonb not null default '""',
    letter_id bigint references alert_letters on delete cascade,
    check (num_nonnulls(person_id, channel_id) = 1)
);
create unique index alert_notices_once on alert_notices (alert_id, kind, person_id, channel_id) nulls not distinct;
create index alert_notices_waiting on alert_notices (person_id, channel_id) where state = 'waiting';
create index alert_notices_letter on alert_notices (letter_id);
create index alert_notices_store on alert_notices (store_id);
create index alert_notices_person on alert_notices (person_id);
create index alert_notices_channel on alert_notices (channel_id);

select build_wall('alerts');
select build_wall('alert_checks');
select build_wall('alert_snoozes');
select build_wall('alert_channels');
select build_wall('alert_letters');
select build_wall('alert_notices');
-- A person's snoozes for all stores, and their channels for all stores, name no store.
create policy pages_of_no_store on alert_snoozes to storeglass_pages
    using (store_id is null and person_id = (select asking_person()));
create policy pages_of_no_store on alert_channels for select to storeglass_pages
    using (store_id is null and person_id = (select asking_person()));

grant select, insert, update, delete on
    alerts,
    alert_checks,
    alert_settings,
    alert_preferences,
    alert_snoozes,
    alert_channels,
    alert_letters,
    alert_notices
to storeglass_worker;
-- Pages read alert_checks to report when checks have stopped.
grant select on
    alerts,
    alert_checks,
    alert_notices
to storeglass_pages;
grant update (assigned_to, done_at, done_by) on alerts to storeglass_pages;
grant select, insert, update, delete on
    alert_settings,
    alert_preferences
to storeglass_pages;
grant
    select,
    insert,
    update (ended_at)
on alert_snoozes to storeglass_pages;
-- Everything about a channel except its secrets.
grant select (
    id,
    store_id,
    person_id,
    kind,
    name,
    host,
    rules,
    revision,
    created_at,
    sent_at,
    failing_since,
    reason,
    off_at,
    off_cause
) on alert_channels to storeglass_pages;

-- +goose Down
drop function snoozes_of(bigint, text, text, bigint, timestamptz);
drop table alert_notices, alert_letters, alert_channels, alert_snoozes, alert_preferences, alert_settings, alert_checks, alerts;
