-- name: Branding :one
select name, accent, logo, revision from branding;

-- name: PublishBranding :one
-- The revision only ever increases, even when it's our own branding again: pages are cached by it.
with draft as (
    delete from branding_drafts where person_id = @person_id
    returning name, accent, logo
)
insert into branding (name, accent, logo)
select name, accent, logo
from draft
on conflict (only_one) do update set
    name = excluded.name,
    accent = excluded.accent,
    logo = excluded.logo,
    revision = branding.revision + 1
returning name, accent, logo, revision;

-- name: BrandingDraft :one
select name, accent, logo from branding_drafts where person_id = @person_id;

-- name: SaveBrandingDraft :exec
insert into branding_drafts (person_id, name, accent, logo)
values (@person_id, @name, @accent, @logo)
on conflict (person_id) do update set
    name = excluded.name,
    accent = excluded.accent,
    logo = excluded.logo;

-- name: DeleteBrandingDraft :exec
delete from branding_drafts where person_id = @person_id;
