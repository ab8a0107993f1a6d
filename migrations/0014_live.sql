-- Open pages follow their stores. Every change to a store's rows raises its revision, so this trigger
-- is the only place that has to notify, and the notification is sent with the commit. Transactions that
-- notify commit one after the other; ours don't wait for the disk.

-- +goose Up
-- +goose StatementBegin
create function notify_store_changed() returns trigger language plpgsql as $$
begin
    perform pg_notify('store_changed', new.id::text);
    return null;
end
$$;
-- +goose StatementEnd
create trigger notify_changed after update of revision on stores
for each row when (new.revision <> old.revision) execute function notify_store_changed();

-- +goose Down
drop trigger notify_changed on stores;
drop function notify_store_changed();
