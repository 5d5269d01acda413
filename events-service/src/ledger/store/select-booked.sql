-- The account and the amount that are booked by hand under a reference.
-- $1 kind text  $2 reference text
SELECT account_kind, account_id, amount_nanos
FROM ledger.entry
WHERE kind = $1 AND transaction_id = $2 AND account_kind IN ('advertiser', 'publisher')
