-- The audit log: who saw or changed what matters. Events that strangers can cause without limit, such
-- as failed sign-ins, are only counted per day, so that the log grows only with what people and
-- commands do.

-- +goose Up

-- Names are copied, since a record outlives what it describes.
create table audit (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    -- person, token, share, command, or nobody (a failed sign-in)
    actor text not null check (actor in ('person', 'token', 'share', 'command', 'nobody')),
    actor_id bigint,
    actor_name text not null default '',
    -- dotted: the kind of thing, then what was done to it, e.g. credential.rotated
    action text not null check (action ~ '^[a-z-]+(\.[a-z-]+)+$'),
    store_id bigint,
    store_slug text not null default '',
    -- what else it concerned, by name
    subject text not null default '',
    -- what changed: messages, shown to each reader in their language
    details jsonb not null default '[]',
    address text not null default '',
    -- of the request, as in the log
    request text not null default ''
);
create index audit_at on audit (at desc, id desc);
create index audit_store on audit (store_id, at desc);
-- when each person last signed in
create index audit_signed_in on audit (actor_id, at desc) where action = 'sign-in.succeeded';

create table audit_counts (
    -- in UTC
    day date not null,
    action text not null check (action ~ '^[a-z-]+(\.[a-z-]+)+$'),
    -- the address (its /48 for IPv6); 'others' for all networks beyond the first 200 rows of a day and
    -- action; 'unknown'
    network text not null check (length(network) between 1 and 60),
    -- the account concerned, or 0; not a reference, since a count outlives the account
    person_id bigint not null default 0,
    -- the share link concerned, or 0
    share_id bigint not null default 0,
    times bigint not null check (times > 0),
    primary key (day, action, network, person_id, share_id)
);

-- The only way to write a count: it adds one, so neither role can set or lower a count. A day and
-- action have at most 200 rows with named networks, and beyond those one row 'others' for each account
-- or link.
-- +goose StatementBegin
create function count_audit(on_day date, of_action text, from_network text, of_person bigint, of_share bigint) returns void
language plpgsql security definer as $$
begin
    -- A flood of refused requests must not wait for the disk. A crash may lose the
    -- counts of its last second.
    perform set_config('synchronous_commit', 'off', true);
    update audit_counts c
    set times = c.times + 1
    where c.day = on_day and c.action = of_action and c.network = from_network and c.person_id = of_person and c.share_id = of_share;
    if found then
        return;
    end if;
    -- One at a time adds a row, or two would both take the last place.
    perform pg_advisory_xact_lock(hashtextextended('audit counts', 0));
    insert into audit_counts as c (day, action, network, person_id, share_id, times)
    values (
        on_day,
        of_action,
        case
            when (select count(*) from audit_counts n where n.day = on_day and n.action = of_action and n.network <> 'others') < 200 then from_network
            else 'others'
        end,
        of_person,
        of_share,
        1
    )
    on conflict (day, action, network, person_id, share_id) do update set times = c.times + 1;
end
$$;

-- Deletes records and counts older than that many days, at most 10,000 records at once, and returns how
-- many records it deleted. Each person's newest sign-in is kept, since the list of people shows it.
-- Less than 30 days is refused, so that intruders can't erase their traces.
create function forget_audit(days integer) returns bigint
language plpgsql security definer as $$
declare
    gone bigint;
begin
    if days is null or days < 30 then
        raise exception 'the audit log is kept for at least 30 days, not %', coalesce(days::text, 'none') using errcode = 'invalid_parameter_value';
    end if;
    delete from audit_counts where day < (now() at time zone 'UTC')::date - days;
    delete from audit
    where id in (
        select a.id
        from audit a
        where a.at < now() - make_interval(days => days)
            and not (
                a.action = 'sign-in.succeeded' and a.actor = 'person'
                and exists (select from people p where p.id = a.actor_id)
                and not exists (
                    select from audit n
                    where n.action = 'sign-in.succeeded' and n.actor = 'person' and n.actor_id = a.actor_id and (n.at, n.id) > (a.at, a.id)
                )
            )
        order by a.at, a.id
        limit 10000
    );
    get diagnostics gone = row_count;
    return gone;
end
$$;

-- As for set_principal (0004): only find tables in our schema.
do $$
declare
    f text;
begin
    foreach f in array array['count_audit(date, text, text, bigint, bigint)', 'forget_audit(integer)'] loop
        execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', f, current_schema());
        execute format('revoke execute on function %s from public', f);
        execute format('grant execute on function %s to storeglass_worker', f);
    end loop;
end
$$;
-- +goose StatementEnd
grant execute on function count_audit(date, text, text, bigint, bigint) to storeglass_pages;

select build_wall('audit');
-- Everything is recorded, even if it concerns no store. Only people who see every store can read such
-- records and counts.
create policy pages_of_no_store on audit for insert to storeglass_pages with check (store_id is null);
alter table audit_counts enable row level security, force row level security;
create policy worker on audit_counts to storeglass_worker using (true);
create policy pages on audit_counts for select to storeglass_pages using ((select sees_all()));

-- Nobody changes or deletes a record.
grant select, insert on audit to storeglass_pages, storeglass_worker;
grant select on audit_counts to storeglass_pages, storeglass_worker;

-- +goose Down
drop function forget_audit(integer);
drop function count_audit(date, text, text, bigint, bigint);
drop table audit_counts, audit;
