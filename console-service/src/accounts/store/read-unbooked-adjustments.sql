-- Reads the oldest adjustments that are not booked in the ledger yet.
-- $1 int   most rows
SELECT reference, account_kind, account_id, amount_nanos, reason
FROM accounts.adjustments
WHERE booked_at IS NULL
ORDER BY made_at, reference
LIMIT $1;
