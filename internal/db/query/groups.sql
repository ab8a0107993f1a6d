-- name: GroupByID :one
select * from groups where id = @id;

-- name: GroupByIDForUpdate :one
select * from groups where id = @id for update;

-- name: GroupByName :one
select * from groups where lower(name) = lower(@name);

-- name: InsertGroup :one
insert into groups (name) values (@name) returning *;

-- name: RenameGroup :exec
update groups set name = @name where id = @id;

-- name: DeleteGroup :exec
delete from groups where id = @id;

-- name: AddStoreToGroup :execrows
-- No row: it's already in the group.
insert into group_stores (group_id, store_id) values (@group_id, @store_id) on conflict do nothing;

-- name: TakeStoreFromGroup :execrows
delete from group_stores m
using stores s
where m.group_id = @group_id and m.store_id = s.id and s.slug = @slug;

-- name: GroupList :many
-- Groups, or the one with that id, with their stores and the people who have them.
select
    r.id,
    r.name,
    coalesce(m.slugs, '{}')::text[] as slugs,
    coalesce(m.names, '{}')::text[] as store_names,
    coalesce(h.ids, '{}')::bigint[] as person_ids,
    coalesce(h.names, '{}')::text[] as person_names,
    coalesce(t.names, '{}')::text[] as token_names
from groups r
left join lateral (
    select
        array_agg(s.slug order by lower(s.name), s.id) as slugs,
        array_agg(s.name order by lower(s.name), s.id) as names
    from group_stores x
    join stores s on s.id = x.store_id
    where x.group_id = r.id and s.removed_at is null
) m on true
left join lateral (
    select
        array_agg(p.id order by lower(p.name), p.id) as ids,
        array_agg(p.name order by lower(p.name), p.id) as names
    from grants g
    join people p on p.id = g.person_id
    where g.group_id = r.id and p.disabled_at is null
) h on true
left join lateral (
    select array_agg(a.name order by a.name) as names
    from grants g
    join api_tokens a on a.id = g.api_token_id
    where g.group_id = r.id and a.revoked_at is null
) t on true
where @group_id::bigint = 0 or r.id = @group_id::bigint
order by lower(r.name), r.id;

-- name: GroupLosses :many
-- Who would lose stores without the group, and which: those that none of their other grants include.
-- Admins lose nothing.
select
    (g.api_token_id is not null)::boolean as token,
    coalesce(p.name, a.name)::text as name,
    array_agg(s.slug order by lower(s.name), s.id)::text[] as slugs,
    array_agg(s.name order by lower(s.name), s.id)::text[] as store_names
from grants g
left join people p on p.id = g.person_id
left join api_tokens a on a.id = g.api_token_id
join group_stores m on m.group_id = g.group_id
join stores s on s.id = m.store_id and s.removed_at is null
where g.group_id = @group_id::bigint
    and (p.id is null or (p.disabled_at is null and p.role <> 'admin'))
    and (a.id is null or a.revoked_at is null)
    and not exists (
        select 1
        from grants o
        left join group_stores x on x.group_id = o.group_id
        where o.group_id is distinct from g.group_id
            and (o.person_id = g.person_id or o.api_token_id = g.api_token_id)
            and ((o.store_id is null and o.group_id is null) or o.store_id = s.id or x.store_id = s.id)
    )
group by g.id, p.id, a.id
order by 1, lower(coalesce(p.name, a.name)), g.id;

-- name: TaggedStores :many
-- Stores by name with their groups and tags, one page at a time.
select
    s.slug,
    s.name,
    coalesce((select array_agg(t.tag order by lower(t.tag)) from store_tags t where t.store_id = s.id), '{}')::text[] as tags,
    coalesce((
        select array_agg(r.name order by lower(r.name), r.id)
        from group_stores m
        join groups r on r.id = m.group_id
        where m.store_id = s.id
    ), '{}')::text[] as group_names,
    count(*) over () as matched
from stores s
where s.removed_at is null
    and (
        @text::text = ''
        or strpos(lower(s.name || ' ' || s.slug), lower(@text::text)) > 0
        or exists (select 1 from store_tags t where t.store_id = s.id and lower(t.tag) = lower(@text::text))
    )
order by lower(s.name), s.id
offset @skip
limit @most;

-- name: ClearTags :exec
delete from store_tags t using stores s where s.id = t.store_id and s.slug = @slug;

-- name: AddTags :exec
-- Spelled as the tag is on other stores, if any has it.
insert into store_tags (store_id, tag)
select s.id, coalesce((select o.tag from store_tags o where lower(o.tag) = lower(x.tag) order by o.tag limit 1), x.tag)
from stores s
cross join unnest(@tags::text[]) as x (tag)
where s.slug = @slug
on conflict do nothing;

-- name: TagsOfStore :many
select t.tag
from store_tags t
join stores s on s.id = t.store_id
where s.slug = @slug
order by lower(t.tag);

-- name: AllTags :many
select tag, count(*) as stores from store_tags group by tag order by lower(tag);
