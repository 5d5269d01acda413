-- What is booked under a deposit's reference: its advertiser and amount.
-- $1 reference text
SELECT account_id AS advertiser_id, amount_nanos
FROM ledger.entry
WHERE kind = 'deposit' AND transaction_id = $1 AND account_kind = 'advertiser'
