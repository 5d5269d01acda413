-- Reads the oldest payouts or refunds that the ledger has neither booked nor refused.
-- $1 text   kind: payout or refund
-- $2 int    most rows
SELECT kind, reference, account_id, amount_nanos
FROM accounts.transfers
WHERE kind = $1 AND booked_at IS NULL AND refused_at IS NULL
ORDER BY made_at, reference
LIMIT $2;
