-- Setup health whose answer was incomplete: the issues that it named all the same. They
-- are true now; those of the last whole answer stay in 'issues' beside them. A running
-- server of the version before reads past the new section.

-- +goose Up
alter table gift_health drop constraint gift_health_section_check;
alter table gift_health add constraint gift_health_section_check
    check (section in ('theme', 'campaigns', 'issues', 'named', 'errors'));

-- +goose Down
delete from gift_health where section = 'named';
alter table gift_health drop constraint gift_health_section_check;
alter table gift_health add constraint gift_health_section_check
    check (section in ('theme', 'campaigns', 'issues', 'errors'));
