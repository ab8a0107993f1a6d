-- Notes: what people write about a day or a range of a store's days.
--
-- Only people who sign in can see private notes. API tokens and share links only see notes for clients,
-- whatever a statement asks for: the policies below enforce that.

-- +goose Up
create table notes (
    id bigint generated always as identity primary key,
    store_id bigint not null references stores on delete cascade,
    -- days on the store's clock, both included
    first_day date not null,
    last_day date not null,
    text text not null check (char_length(text) between 1 and 280),
    -- false: private
    for_clients boolean not null default false,
    -- A note stays when its author leaves, but without the name.
    written_by bigint references people on delete set null,
    written_at timestamptz not null default now(),
    changed_at timestamptz,
    check (first_day <= last_day)
);
create index notes_store on notes (store_id, first_day desc, id desc);

alter table notes enable row level security, force row level security;
create policy worker on notes to storeglass_worker using (true);
create policy pages on notes to storeglass_pages using (
    (select asking_person()) is not null
    and ((select sees_all()) or store_id in (select s.id from seen_stores() as s (id)))
);
create policy pages_for_clients on notes for select to storeglass_pages using (
    for_clients
    and ((select sees_all()) or store_id in (select s.id from seen_stores() as s (id)))
);

grant select, insert, update, delete on notes to storeglass_pages, storeglass_worker;

-- +goose Down
drop table notes;
