-- Mails that could not be sent for weeks are not all sent when the mail server is back:
-- the newest goes out, and links to the earlier ones. A running server of the version
-- before sends the earlier ones too.

-- +goose Up
alter table deliveries
    -- the later mail that stands for this one; it is final once that mail is sent
    add folded_into bigint references deliveries on delete cascade,
    -- somebody asked for it once more: it goes by itself
    add resent boolean not null default false,
    add check (state <> 'folded' or folded_into is not null);
create index deliveries_folded on deliveries (folded_into) where folded_into is not null;
drop index deliveries_next;
create index deliveries_next on deliveries (next_at, id) where state in ('waiting', 'ready') and (folded_into is null or resent);
grant select (folded_into, resent) on deliveries to storeglass_pages;

-- Whether there are upsell numbers of a mail's week, in any store that it is about.
create function week_has_numbers(of_subscription bigint, of_week date) returns boolean
language sql stable as $$
    select exists (
        select from subscriptions s
        join stores t on case when s.store_id is null then holds(s.person_id, t.id) else t.id = s.store_id end
        where s.id = of_subscription and exists (
            select from summaries m
            where m.store_id = t.id and m.window_start between of_week and of_week + 6 and m.window_end between m.window_start and of_week + 6
        )
    )
$$;

-- +goose Down
drop function week_has_numbers(bigint, date);
update deliveries set state = 'ended' where state = 'folded';
revoke select (folded_into, resent) on deliveries from storeglass_pages;
drop index deliveries_next;
drop index deliveries_folded;
alter table deliveries drop folded_into, drop resent;
create index deliveries_next on deliveries (next_at, id) where state in ('waiting', 'ready');
