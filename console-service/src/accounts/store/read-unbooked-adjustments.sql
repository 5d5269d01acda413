-- Reads the oldest adjustments that the ledger does not have yet.
-- $1 int   at most so many
SELECT reference, account_kind, account_id, amount_nanos, reason
FROM accounts.adjustments
WHERE booked_at IS NULL
ORDER BY made_at, reference
LIMIT $1;
