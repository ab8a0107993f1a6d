-- The largest number of rows that a service lets a ranking ask for, once it refused or
-- ignored what is asked first. A running server of the version before goes on.

-- +goose Up
alter table credentials add column ranking_limit integer check (ranking_limit > 0);
grant select (ranking_limit) on credentials to storeglass_pages;

-- +goose Down
alter table credentials drop column ranking_limit;
