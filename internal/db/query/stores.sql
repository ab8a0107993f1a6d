-- name: StoresInScope :many
-- The stores that a scope holds; every_store stands for a grant without a store.
select s.*
from stores s
where (@every_store::boolean or s.id = any(@store_ids::bigint[])) and s.removed_at is null
order by lower(s.name), s.id;

-- name: StoreInScope :one
select
    s.*,
    coalesce((
        select d.window_start
        from summaries d
        where d.store_id = s.id and d.window_start = d.window_end and not d.partial
        order by d.window_start
        limit 1
    ), '0001-01-01')::date as first_day
from stores s
where s.slug = @slug and s.removed_at is null and (@every_store::boolean or s.id = any(@store_ids::bigint[]));

-- name: GrantsOfPerson :many
-- A null stands for every store.
select null::bigint as store_id
from people p
where p.id = @person_id and p.disabled_at is null and p.role = 'admin'
union
select coalesce(g.store_id, m.store_id)
from grants g
join people p on p.id = g.person_id
left join group_stores m on m.group_id = g.group_id
where p.id = @person_id and p.disabled_at is null and (g.group_id is null or m.store_id is not null);

-- name: GrantsOfToken :many
-- A null stands for every store.
select null::bigint as store_id
from grants g
join api_tokens t on t.id = g.api_token_id
where t.id = @api_token_id and t.revoked_at is null and g.store_id is null and g.group_id is null
union
select coalesce(g.store_id, m.store_id)
from grants g
join api_tokens t on t.id = g.api_token_id
left join group_stores m on m.group_id = g.group_id
where t.id = @api_token_id and t.revoked_at is null and coalesce(g.store_id, m.store_id) is not null;

-- name: InsertStore :one
insert into stores (slug, name, timezone, history_days)
values (@slug, @name, @timezone, @history_days)
returning *;

-- name: StoreBySlug :one
-- For the command line and the worker, which stand above grants.
select * from stores where slug = @slug;

-- name: StoreByID :one
select * from stores where id = @id;

-- name: AllStores :many
select * from stores order by slug;

-- name: UpdateStore :one
update stores
set name = @name, timezone = @timezone, history_days = @history_days, revision = revision + 1
where id = @id
returning *;

-- name: PauseStore :exec
update stores set paused_at = coalesce(paused_at, now()), revision = revision + 1 where id = @id;

-- name: ResumeStore :exec
with doubted as (
    update gift_plans set doubted = true where store_id = @id
), resumed as (
    update credentials
    set state = 'unchecked', paused_cause = null, paused_text = null, paused_at = null, next_due_at = now()
    where store_id = @id
), woken as (
    update ledger set due_at = now(), attempts = 0
    where store_id = @id and outcome in ('paused', 'failed', 'refused')
)
update stores set paused_at = null, revision = revision + 1 where stores.id = @id;

-- name: DeleteStore :exec
delete from stores where id = @id;

-- name: UpsertCredential :one
with doubted as (
    update gift_plans set doubted = true where store_id = @store_id and @service = 'gift'
)
insert into credentials (store_id, service, base_url, token_sealed, key_id, budget, token_tail, shop_domain, state)
values (@store_id, @service, @base_url, @token_sealed, @key_id, @budget, @token_tail, @shop_domain, @state)
on conflict (store_id, service) do update set
    base_url = excluded.base_url,
    token_sealed = excluded.token_sealed,
    key_id = excluded.key_id,
    budget = excluded.budget,
    token_tail = excluded.token_tail,
    shop_domain = excluded.shop_domain,
    state = excluded.state,
    paused_cause = null,
    paused_text = null,
    paused_at = null,
    next_due_at = now(),
    version = credentials.version + 1,
    replaced_at = now()
returning *;

-- name: CredentialsOfStore :many
select * from credentials where store_id = @store_id order by service desc;

-- name: CredentialByID :one
select * from credentials where id = @id;

-- name: DueCredentials :many
-- What the tick starts: one job for each.
select c.id, c.store_id, c.service
from credentials c
join stores s on s.id = c.store_id
where c.state <> 'paused' and s.paused_at is null and s.removed_at is null and c.next_due_at <= @now
order by c.next_due_at;

-- name: SetCredentialDue :exec
-- Of the credential as it was: one that was replaced meanwhile is due at once.
update credentials set next_due_at = @next_due_at where id = @id and version = @version;

-- name: WakeStore :exec
update credentials set next_due_at = now() where store_id = @store_id and state <> 'paused';

-- name: PauseCredential :exec
-- The first cause stays: later answers to a dead token say less. Two calls under
-- way may come back in the other order: INVALID_KEY is what the first cause makes of
-- the calls after it (N40). What was said of a token that was replaced since is not
-- said of the new one.
with stopped as (
    update credentials c
    set state = 'paused',
        paused_cause = case when p.keeps then c.paused_cause else @cause::text end,
        paused_text = case when p.keeps then c.paused_text else @text::text end,
        paused_at = coalesce(c.paused_at, now())
    from (
        select k.id,
            k.paused_cause is not null
            and not (k.paused_cause = 'INVALID_KEY' and @cause::text in ('NO_PLAN', 'APP_UNINSTALLED')) as keeps
        from credentials k
        where k.id = @id and k.version = @version
        for update
    ) p
    where c.id = p.id
    returning c.store_id
)
update stores s set revision = s.revision + 1
from stopped
where s.id = stopped.store_id;

-- name: NameCredential :exec
-- Binds the credential to the shop that the service named first (N35).
update credentials
set state = case when state = 'unchecked' then 'good' else state end,
    shop_domain = coalesce(shop_domain, sqlc.narg(shop_domain)::text)
where id = @id
  and (state = 'unchecked' or (shop_domain is null and sqlc.narg(shop_domain)::text is not null));
