-- Branding is looked at before everybody sees it. A form can't be sent twice with the
-- same file, and pages show pictures of our own addresses alone: so what somebody is
-- trying out is kept, for them alone, until they save or discard it. A running server
-- notices nothing.

-- +goose Up
create table branding_drafts (
    person_id bigint primary key references people on delete cascade,
    name text not null default '',
    accent text not null default '' check (accent ~ '^(#[0-9a-f]{6})?$'),
    -- as in branding: decoded and drawn anew by us
    logo bytea
);
grant select, insert, update, delete on branding_drafts to storeglass_pages, storeglass_worker;

-- +goose Down
drop table branding_drafts;
