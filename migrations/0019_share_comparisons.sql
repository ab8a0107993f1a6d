-- A share link tells of no days but its own, unless its maker lets it compare them with the
-- period before.

-- +goose Up
alter table shares add column compares boolean not null default false;

-- +goose Down
alter table shares drop column compares;
