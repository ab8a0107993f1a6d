-- A mail that was written says which stores it shows, so that no later try and no link
-- to it shows a store that its reader lost meanwhile. A backlog is one mail: the weeks
-- before are folded into it. Links to mails about all stores that were written before
-- this step stop working, since nobody knows what they show. A running server of the
-- version before notices nothing.

-- +goose Up
alter table deliveries
    -- the stores that the written mail shows; null: not written yet
    add stores bigint[],
    drop constraint deliveries_state_check,
    add constraint deliveries_state_check check (state in ('waiting', 'ready', 'sent', 'refused', 'given up', 'suppressed', 'ended', 'folded'));
update deliveries set stores = array[store_id] where store_id is not null and written_at is not null;

-- Whether a person may see a store at this moment.
create function holds(of_person bigint, of_store bigint) returns boolean
language sql stable as $$
    select exists (
        select from people p
        join stores t on t.id = of_store and t.removed_at is null
        where p.id = of_person and p.disabled_at is null and (p.role = 'admin' or exists (
            select from grants g
            left join group_stores m on m.group_id = g.group_id
            where g.person_id = p.id and ((g.store_id is null and g.group_id is null) or coalesce(g.store_id, m.store_id) = of_store)
        ))
    )
$$;

-- Whether the reader of a subscription may still see every one of those stores. Who has
-- no account was given one store until somebody takes it back.
create function reader_holds(of_subscription bigint, of_stores bigint[]) returns boolean
language sql stable as $$
    select of_stores is not null and exists (
        select from subscriptions s
        where s.id = of_subscription and s.end_cause is distinct from 'removed'
            and (s.person_id is null or not exists (select from people p where p.id = s.person_id and p.disabled_at is not null))
            and not exists (
                select from unnest(of_stores) as o (id)
                where case when s.person_id is null
                    then not exists (select from stores t where t.id = o.id and t.removed_at is null)
                    else not holds(s.person_id, o.id) end
            )
    )
$$;
grant select (stores) on deliveries to storeglass_pages;

-- +goose Down
drop function reader_holds(bigint, bigint[]);
drop function holds(bigint, bigint);
update deliveries set state = 'ended' where state = 'folded';
alter table deliveries
    drop stores,
    drop constraint deliveries_state_check,
    add constraint deliveries_state_check check (state in ('waiting', 'ready', 'sent', 'refused', 'given up', 'suppressed', 'ended'));
