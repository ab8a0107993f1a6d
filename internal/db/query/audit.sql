-- name: InsertAudit :exec
-- The id tells stores apart that bore the same slug one after the other.
insert into audit (at, actor, actor_id, actor_name, action, store_id, store_slug, subject, address, request)
values (
    @at, @actor, sqlc.narg(actor_id), @actor_name, @action,
    (select s.id from stores s where s.slug = @store_slug::text), @store_slug::text, @subject, @address, @request
);

-- name: ListAudit :many
-- Newest first. An empty filter holds everything; a page goes on behind the last
-- record of the one before, whatever was added meanwhile.
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
        or strpos(lower(actor_name || ' ' || store_slug || ' ' || subject || ' ' || address || ' ' || request), lower(@text::text)) > 0
    )
order by at desc, id desc
limit @most;
