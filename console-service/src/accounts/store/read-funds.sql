-- Reads the sum of all deposits and adjustments of each account, in nano-units. No parameters.
SELECT kind, id, sum(amount_nanos) AS nanos
FROM (
  SELECT 'advertiser' AS kind, advertiser_id AS id, amount_nanos FROM accounts.deposits
  UNION ALL
  SELECT account_kind, account_id, amount_nanos FROM accounts.adjustments
) AS given
GROUP BY kind, id
ORDER BY kind, id;
