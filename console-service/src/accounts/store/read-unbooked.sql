-- Reads the oldest deposits that are not booked in the ledger yet.
-- $1 int   most rows
SELECT reference, advertiser_id, amount_nanos
FROM accounts.deposits
WHERE booked_at IS NULL
ORDER BY made_at, reference
LIMIT $1;
