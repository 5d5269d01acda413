-- The balance of each account equals the sum of its day sums.
WITH booked AS (
  SELECT account_kind, account_id, sum(sum_nanos) AS nanos FROM ledger.account_day GROUP BY account_kind, account_id
),
faults AS (
  SELECT coalesce(account.kind, booked.account_kind) || ' ' || coalesce(account.id, booked.account_id) || ' has '
    || ledger.as_amount(coalesce(account.balance_nanos, 0)) || ', its days sum to '
    || ledger.as_amount(coalesce(booked.nanos, 0)) AS fault
  FROM ledger.account
  FULL JOIN booked ON booked.account_kind = account.kind AND booked.account_id = account.id
  WHERE coalesce(account.balance_nanos, 0) <> coalesce(booked.nanos, 0)
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT 'accounts: ' || count(*) FROM ledger.account) AS summary
