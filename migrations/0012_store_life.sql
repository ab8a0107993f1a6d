-- The life of a store: shops that were asked and are not saved yet, credentials that
-- change while pulls are under way, and stores that were removed and can be brought
-- back. A running server of the version before goes on: new columns have defaults.

-- +goose Up
alter table credentials
    -- grows when address or token change: what was begun with the ones before ends
    add column version integer not null default 1,
    -- when the token in use was given; null: with the credential
    add column replaced_at timestamptz;

-- A shop whose services were asked for a person, until that person saves it as a store
-- or leaves it. The tokens are here meanwhile, and never in the browser.
create table pending_connections (
    -- SHA-256 of its name in the address
    id_hash bytea primary key,
    person_id bigint not null references people on delete cascade,
    -- what the services said of themselves; no secret is in it
    found jsonb not null,
    -- addresses and tokens, sealed with the key named by key_id for this row and
    -- person; null as soon as a store has come of it
    sealed bytea,
    key_id text not null,
    expires_at timestamptz not null,
    -- what has come of it, so that a form that is sent twice leads there
    store_id bigint references stores on delete cascade
);
create index pending_connections_expiry on pending_connections (expires_at);

-- removed_by is the name for people; this one says who may bring the store back.
alter table stores add column removed_by_person bigint references people on delete set null;
create index stores_removed on stores (removed_at) where removed_at is not null;

-- The other half of the fence: a claim is only to be had with a credential that is
-- still what it was when the work began, and not paused. by_schedule: a store that a
-- person paused is left alone too.
-- +goose StatementBegin
create function assert_in_use(of_credential bigint, of_version integer, by_schedule boolean) returns void
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

-- Pages know nothing of what is pending, and look after stores by asking the worker's
-- side, which looks again what the asker may: of a store they still write the pause.
select build_wall('pending_connections');
grant select, insert, update, delete on pending_connections to storeglass_worker;
grant select (version, replaced_at) on credentials to storeglass_pages;
revoke update (name, timezone, history_days, removed_at, removed_by) on stores from storeglass_pages;

-- +goose Down
grant update (name, timezone, history_days, removed_at, removed_by) on stores to storeglass_pages;
drop function assert_in_use;
drop index stores_removed;
alter table stores drop column removed_by_person;
drop table pending_connections;
alter table credentials drop column replaced_at, drop column version;
