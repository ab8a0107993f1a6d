-- Offers whose trigger names what was deleted, to be found by key instead of by
-- reading every set-up. The column follows from the body, so it can't disagree with
-- it; a running server writes as before, and waits while the table is rewritten.

-- +goose Up
alter table offer_setups
    -- how many of the things that its trigger conditions name are marked as deleted
    add column deleted_triggers integer not null generated always as (
        jsonb_array_length(jsonb_path_query_array(body, '$.conditions[*].names[*] ? (@.deleted == true)'))
    ) stored;

create index offer_setups_deleted on offer_setups (store_id) where deleted_triggers > 0;

-- +goose Down
drop index offer_setups_deleted;
alter table offer_setups drop column deleted_triggers;
