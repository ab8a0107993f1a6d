-- What pages about alerts need beside what 0019 gave them. A running server of the
-- version before notices nothing.

-- +goose Up

-- Whether a person is told by mail that something is right again.
alter table alert_settings add column recoveries boolean not null default true;

-- Pages say when nobody looks at the stores any more.
grant select on alert_looks to storeglass_pages;

-- History is read newest first.
create index alerts_past on alerts (store_id, closed_at desc, id desc) where closed_at is not null;

-- +goose Down
drop index alerts_past;
revoke select on alert_looks from storeglass_pages;
alter table alert_settings drop column recoveries;
