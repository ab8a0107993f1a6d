-- Two windows may show the form of one channel: the second to save is told that the
-- channel has changed since it was opened. A running server of the version before
-- notices nothing.

-- +goose Up

-- how often what its owner chooses of it was changed
alter table alert_channels add column revision integer not null default 0;
grant select (revision) on alert_channels to storeglass_pages;

-- +goose Down
alter table alert_channels drop column revision;
