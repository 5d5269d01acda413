-- Reads a payout or refund that is booked or to be booked.
-- $1 text   kind: payout or refund
-- $2 text   reference
SELECT kind, reference, account_id, amount_nanos, booked_at IS NOT NULL AS is_booked
FROM accounts.transfers
WHERE kind = $1 AND reference = $2 AND refused_at IS NULL;
