-- Reads the sum of all payouts or refunds of each account that the ledger has not refused, in nano-units. No parameters.
SELECT
  CASE kind WHEN 'payout' THEN 'publisher' ELSE 'advertiser' END AS kind, account_id AS id, sum(amount_nanos) AS nanos
FROM accounts.transfers
WHERE refused_at IS NULL
GROUP BY transfers.kind, account_id
ORDER BY transfers.kind, account_id;
