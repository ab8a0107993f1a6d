-- A mail about alerts has a link, too, that ends such mails without a sign-in. A running
-- server of the version before sends mails without that link.

-- +goose Up
alter table mail_links
    alter subscription_id drop not null,
    -- of a mail about alerts: whose
    add person_id bigint references people on delete cascade,
    add check (num_nonnulls(subscription_id, person_id) = 1);
create index mail_links_person on mail_links (person_id) where person_id is not null;

-- +goose Down
delete from mail_links where person_id is not null;
drop index mail_links_person;
alter table mail_links drop person_id, alter subscription_id set not null;
