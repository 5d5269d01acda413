-- Reads a payout or refund of any state, and locks it until the transaction ends.
-- $1 text   kind: payout or refund
-- $2 text   reference
SELECT kind, reference, account_id, amount_nanos, booked_at IS NOT NULL AS is_booked, refusal
FROM accounts.transfers
WHERE kind = $1 AND reference = $2
FOR UPDATE;
