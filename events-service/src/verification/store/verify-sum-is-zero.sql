-- The balances of all accounts sum to zero, and so do the day sums of each booking day.
WITH total AS (SELECT coalesce(sum(balance_nanos), 0) AS nanos, count(*) AS accounts FROM ledger.account),
faults AS (
  SELECT 'all accounts sum to ' || ledger.as_amount(nanos) AS fault FROM total WHERE nanos <> 0
  UNION ALL
  SELECT 'the entries of ' || day || ' sum to ' || ledger.as_amount(sum(sum_nanos))
  FROM ledger.account_day GROUP BY day HAVING sum(sum_nanos) <> 0
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT 'accounts: ' || accounts || '; sum ' || ledger.as_amount(nanos) FROM total) AS summary
