-- Reads one adjustment.
-- $1 text   reference
SELECT reference, account_kind, account_id, amount_nanos, reason FROM accounts.adjustments WHERE reference = $1;
