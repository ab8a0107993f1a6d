-- +goose Up
-- A token can be refused by mistake: the services answer 401 in passing, and when
-- their sign-in is down they refuse everybody. A refused credential is doubtful, is
-- asked about by itself in growing steps, and is paused (a person is alerted) only
-- when the refusal lasts. No pull uses it in either state.
alter table credentials drop constraint credentials_state_check;
alter table credentials add constraint credentials_state_check check (state in ('unchecked', 'good', 'doubtful', 'paused'));
alter table credentials
    -- when it is asked about next; null: only by a person, since a call could revoke a key
    add column next_probe_at timestamptz,
    -- how many probes brought no good answer, and when the newest one was
    add column probes integer not null default 0,
    add column probed_at timestamptz,
    -- since when the service refuses many stores' tokens; null: it doesn't
    add column outage_since timestamptz,
    -- the host of base_url, which an outage is of
    add column host text not null generated always as (coalesce(lower(substring(base_url from '^[a-zA-Z]+://([^/?#]*)')), '')) stored;

-- What is paused already is asked about from now on.
update credentials set next_probe_at = now()
where state = 'paused' and coalesce(paused_cause, '') not in ('NO_PLAN', 'APP_UNINSTALLED', 'trial_lapsed');

drop index credentials_due;
create index credentials_due on credentials (next_due_at) where state in ('unchecked', 'good');
create index credentials_probes on credentials (service, host) where state in ('doubtful', 'paused');

-- +goose StatementBegin
create or replace function assert_in_use(of_credential bigint, of_version integer, by_schedule boolean) returns void
language plpgsql as $$
begin
    perform 1
    from credentials c
    join stores s on s.id = c.store_id
    where c.id = of_credential
      and c.version = of_version
      and c.state in ('unchecked', 'good')
      and s.removed_at is null
      and (s.paused_at is null or not by_schedule);
    if not found then
        raise exception 'credential % is not in use any more as it was', of_credential using errcode = 'SG002';
    end if;
end
$$;
-- +goose StatementEnd

grant select (next_probe_at, probes, probed_at, outage_since, host), update (next_probe_at, probes, outage_since) on credentials to storeglass_pages;

-- +goose Down
update credentials set state = 'paused' where state = 'doubtful';
-- +goose StatementBegin
create or replace function assert_in_use(of_credential bigint, of_version integer, by_schedule boolean) returns void
language plpgsql as $$
begin
    perform 1
    from credentials c
    join stores s on s.id = c.store_id
    where c.id = of_credential
      and c.version = of_version
      and c.state <> 'paused'
      and s.removed_at is null
      and (s.paused_at is null or not by_schedule);
    if not found then
        raise exception 'credential % is not in use any more as it was', of_credential using errcode = 'SG002';
    end if;
end
$$;
-- +goose StatementEnd
drop index credentials_probes;
drop index credentials_due;
create index credentials_due on credentials (next_due_at) where state <> 'paused';
alter table credentials drop constraint credentials_state_check;
alter table credentials add constraint credentials_state_check check (state in ('unchecked', 'good', 'paused'));
alter table credentials drop column host, drop column outage_since, drop column probed_at, drop column probes, drop column next_probe_at;
