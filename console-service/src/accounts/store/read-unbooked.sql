-- Reads the oldest deposits that the ledger does not have yet.
-- $1 int   at most so many
SELECT reference, advertiser_id, amount_nanos
FROM accounts.deposits
WHERE booked_at IS NULL
ORDER BY made_at, reference
LIMIT $1;
