-- A store's ledger grows by several rows with every day of history, and pages read a
-- few of them: those that are not about one past day or one offer, those that are and
-- went wrong, and the newest answer. A running server writes and reads as before.

-- +goose Up
create index ledger_shown on ledger (store_id)
where pull not in ('offer.setup', 'offer.stages', 'offer.recommendations')
    and (pull not in ('summary.day', 'stats.day', 'top.day', 'top.day.lowest') or outcome not in ('good', 'never'));

create index ledger_newest on ledger (store_id, service, last_good_at);

-- +goose Down
drop index ledger_newest, ledger_shown;
