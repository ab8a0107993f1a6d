-- name: InsertAudit :exec
-- The id distinguishes stores that used the same slug one after the other.
insert into audit (at, actor, actor_id, actor_name, action, store_id, store_slug, subject, details, address, request)
values (
    @at, @actor, sqlc.narg(actor_id), @actor_name, @action,
    (select s.id from stores s where s.slug = @store_slug::text), @store_slug::text, @subject, @details, @address, @request
);

-- name: ListAudit :many
-- Newest first. Empty filters match everything. The next page starts after the last record of the
-- previous one, even if records were added in between.
select *
from audit
where (at, id) < (@before_at::timestamptz, @before_id::bigint)
    and at >= @since::timestamptz
    and at < @until::timestamptz
    and (@who::text = '' or strpos(lower(actor_name), lower(@who::text)) > 0 or actor = lower(@who::text))
    and (@about::text = '' or action = @about::text or starts_with(action, @about::text || '.'))
    and (@store::text = '' or store_slug = @store::text)
    and (
        @text::text = ''
        or strpos(lower(actor_name || ' ' || store_slug || ' ' || subject || ' ' || details::text || ' ' || address || ' ' || request), lower(@text::text)) > 0
    )
order by at desc, id desc
limit @most;

-- name: CountAudit :exec
select count_audit(@day::date, @action::text, @network::text, @person_id::bigint, @share_id::bigint);

-- name: ListAuditCounts :many
-- Newest day first, then by action and the busiest network. Empty filters match everything.
select
    c.day,
    c.action,
    c.network,
    coalesce(p.email, case when c.person_id > 0 then 'an account that is gone' end, '')::text as person,
    coalesce(s.label, case when c.share_id > 0 then 'a share link that is gone' end, '')::text as share,
    coalesce(t.slug, '')::text as store,
    c.times
from audit_counts c
left join people p on p.id = c.person_id
left join shares s on s.id = c.share_id
left join stores t on t.id = s.store_id
where c.day >= @since::date
    and c.day < @until::date
    and (@about::text = '' or c.action = @about::text or starts_with(c.action, @about::text || '.'))
    and (@who::text = '' or strpos(lower(coalesce(p.email, '')), lower(@who::text)) > 0 or 'nobody' = lower(@who::text))
    and (@store::text = '' or t.slug = @store::text)
    and (
        @text::text = ''
        or strpos(lower(c.network || ' ' || coalesce(p.email, '') || ' ' || coalesce(s.label, '') || ' ' || coalesce(t.slug, '')), lower(@text::text)) > 0
    )
order by c.day desc, c.action, c.times desc, c.network, c.person_id, c.share_id
limit @most;
