package db

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// WallFaults says, for an administrator, what weakens the second wall between stores: roles that are
// missing, can't be switched to or may do too much, and tables that they aren't kept out of. owner is a
// pool of the database's own user. Nil means the wall is complete.
func WallFaults(ctx context.Context, owner *pgxpool.Pool) ([]string, error) {
	rows, err := owner.Query(ctx, wallFaults, []string{string(Pages), string(Worker)})
	if err != nil {
		return nil, fmt.Errorf("look at the walls: %w", err)
	}
	faults, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return faults, Tried(err, "look at the walls")
}

// A missing role, or one that the user isn't a member of, hides later faults, so that there is one
// thing to fix at a time.
const wallFaults = `
with wanted as (
	select name, r.oid, r.rolsuper, r.rolbypassrls, r.rolcreaterole, r.rolcreatedb, r.rolcanlogin,
		coalesce(pg_has_role(current_user, r.oid, 'usage'), false) as joined
	from unnest($1::text[]) as name
	left join pg_roles r on r.rolname = name
), ours as (
	select c.oid, c.relname,
		c.relrowsecurity and c.relforcerowsecurity
		and 2 = (
			select count(distinct w.oid) from pg_policy p join wanted w on w.oid = any(p.polroles) where p.polrelid = c.oid
		) as walled
	from pg_class c
	where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
		and (c.relname = 'stores' or exists (
			select from pg_attribute a where a.attrelid = c.oid and a.attname = 'store_id' and not a.attisdropped
		))
)
select format('the role %s is missing: an administrator of the server has to run: create role %1$s nologin; grant %1$s to %I', name, current_user)
from wanted where oid is null
union all
select format('%I may not take on the role %s: an administrator of the server has to run: grant %2$s to %1$I', current_user, name)
from wanted where oid is not null and not joined
union all
select format('the role %s may more than it should: an administrator of the server has to run: alter role %1$s nologin nosuperuser nobypassrls nocreaterole nocreatedb', name)
from wanted where rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolcanlogin
union all
select format('the role %s is a member of %s: an administrator of the server has to run: revoke %2$I from %1$s', w.name, m.roleid::regrole)
from wanted w join pg_auth_members m on m.member = w.oid
union all
select format('the role %s owns %s: an administrator has to give it another owner', w.name, c.oid::regclass)
from wanted w join pg_class c on c.relowner = w.oid
union all
select format('the role %s may make tables in the schema %I: an administrator has to run: revoke create on schema %2$I from public, %1$s', name, current_schema())
from wanted where oid is not null and has_schema_privilege(oid, current_schema(), 'create')
union all
select format('%s no row-level security. Was a dump restored before its roles were there? Then restore it again, into an empty database, now that they are. Take no step of the schema back: that would delete what is stored',
	case count(*) when 1 then format('the table %I has', min(relname)) else format('%s tables have', count(*)) end)
from ours where not walled
having count(*) > 0`
