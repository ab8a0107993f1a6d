-- Two walls keep stores apart. The first is in the program: a query for a store's rows takes a scope,
-- and only grants give one. The second is here: row-level security. Web pages connect as
-- storeglass_pages, which sees the rows of the stores that its principal may see. The worker and the
-- command line connect as storeglass_worker, which sees every row. Neither role owns anything.
--
-- For every new table: a table with a store_id calls `select build_wall('…')`, and every table grants
-- each role what it needs; `select keep_answers('…')` does both for service answers. A test that reads
-- the system catalogs reports what is missing.

-- +goose Up

-- Roles belong to the cluster: another database may have created them already, or may be creating them
-- right now, so this retries if it loses that race.
-- +goose StatementBegin
do $$
declare
    wanted text;
    modern boolean := current_setting('server_version_num')::integer >= 160000;
    joined boolean;
begin
    foreach wanted in array array['storeglass_pages', 'storeglass_worker'] loop
        for attempt in 1 .. 5 loop
            begin
                if not exists (select from pg_roles where rolname = wanted) then
                    execute format('create role %I nologin', wanted);
                end if;
                -- The owner must be able to become the role, and passes the wall as a member of it.
                joined := pg_has_role(current_user, wanted, 'usage');
                if joined and modern then
                    execute 'select pg_has_role(current_user, $1, ''set'')' into joined using wanted;
                end if;
                if not joined then
                    execute format('grant %I to current_user', wanted);
                end if;
                exit;
            exception
                when duplicate_object or unique_violation or internal_error then -- another database was quicker
                    if attempt = 5 then
                        raise;
                    end if;
                when insufficient_privilege then
                    raise exception '% may not make the roles that keep stores apart; an administrator of the server has to run: create role storeglass_pages nologin; create role storeglass_worker nologin; grant storeglass_pages, storeglass_worker to %; (leave out the roles that are there), then migrate again',
                        current_user, quote_ident(current_user) using errcode = 'insufficient_privilege';
            end;
        end loop;
    end loop;
    execute format('grant usage on schema %I to storeglass_pages, storeglass_worker', current_schema());
end
$$;
-- +goose StatementEnd
grant select on goose_db_version to storeglass_pages, storeglass_worker;

-- What set_principal (0004) found for this transaction: '*' for every store, an array of ids, or
-- nothing. Policies call these inside a subselect, so that Postgres evaluates them once per statement
-- instead of once per row.
create function sees_all() returns boolean
language sql stable parallel safe as $$
    select current_setting('storeglass.stores', true) = '*'
$$;

create function seen_stores() returns setof bigint
language sql stable parallel safe rows 10 as $$
    select unnest(nullif(nullif(current_setting('storeglass.stores', true), '*'), '')::bigint[])
$$;

create function asking_person() returns bigint
language sql stable parallel safe as $$
    select nullif(current_setting('storeglass.person', true), '')::bigint
$$;

-- The worker sees every row of the table, pages only those of their principal's stores. `of` is the
-- column with the store's id.
-- +goose StatementBegin
create function build_wall(of_table regclass, of name default 'store_id') returns void
language plpgsql as $$
begin
    execute format('alter table %s enable row level security, force row level security', of_table);
    execute format('create policy worker on %s to storeglass_worker using (true)', of_table);
    execute format('create policy pages on %s to storeglass_pages using ((select sees_all()) or %I in (select s.id from seen_stores() as s (id)))', of_table, of);
end
$$;
-- +goose StatementEnd
revoke execute on function build_wall(regclass, name) from public;

-- Tables of service answers: the worker writes them, and pages may only read them, behind the wall.
-- +goose StatementBegin
create function keep_answers(variadic tables regclass[]) returns void
language plpgsql as $$
declare
    one regclass;
begin
    foreach one in array tables loop
        perform build_wall(one);
        execute format('grant select, insert, update, delete on %s to storeglass_worker', one);
        execute format('grant select on %s to storeglass_pages', one);
    end loop;
end
$$;
-- +goose StatementEnd
revoke execute on function keep_answers(regclass[]) from public;

-- +goose Down
-- The roles stay: another database in the cluster may use them.
drop function keep_answers(regclass[]);
drop function build_wall(regclass, name);
drop function asking_person();
drop function seen_stores();
drop function sees_all();
revoke select on goose_db_version from storeglass_pages, storeglass_worker;
-- +goose StatementBegin
do $$
begin
    execute format('revoke usage on schema %I from storeglass_pages, storeglass_worker', current_schema());
end
$$;
-- +goose StatementEnd
