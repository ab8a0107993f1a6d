-- Who made an API token, as they were called, since it outlives them; and when
-- somebody last signed in, found without reading the whole audit log. A running
-- server notices nothing.

-- +goose Up
alter table api_tokens add column made_by text not null default '';
create index audit_signed_in on audit (actor_id, at desc) where action = 'sign-in.succeeded';

-- +goose Down
drop index audit_signed_in;
alter table api_tokens drop column made_by;
