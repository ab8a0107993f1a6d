-- An agency's own name, color and logo.

-- +goose Up
create table branding (
    -- one row, or none
    only_one boolean primary key default true check (only_one),
    name text not null default '',
    -- '#rrggbb' as chosen: pages make it readable; '' is our own
    accent text not null default '' check (accent ~ '^(#[0-9a-f]{6})?$'),
    -- a raster image that we decoded and re-encoded
    logo bytea,
    revision bigint not null default 1
);

-- What a person is trying out, shown only to them until they save or discard it. It is stored because a
-- form can't submit the same file twice and pages only show images from our own URLs.
create table branding_drafts (
    person_id bigint primary key references people on delete cascade,
    name text not null default '',
    accent text not null default '' check (accent ~ '^(#[0-9a-f]{6})?$'),
    -- as in branding
    logo bytea
);

grant select, insert, update, delete on
    branding,
    branding_drafts
to storeglass_pages, storeglass_worker;

-- +goose Down
drop table branding_drafts, branding;
