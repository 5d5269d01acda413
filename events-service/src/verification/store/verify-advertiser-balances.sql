-- The balance of each advertiser equals its deposits, less its refunds, plus adjustments minus settled impressions.
WITH booked AS (
  SELECT
    account_id,
    coalesce(sum(sum_nanos) FILTER (WHERE transaction_kind = 'deposit'), 0) AS deposited,
    coalesce(sum(sum_nanos) FILTER (WHERE transaction_kind = 'adjustment'), 0) AS adjusted,
    -coalesce(sum(sum_nanos) FILTER (WHERE transaction_kind = 'refund'), 0) AS refunded,
    -coalesce(sum(sum_nanos) FILTER (WHERE transaction_kind = 'impression'), 0) AS settled
  FROM ledger.account_day
  WHERE account_kind = 'advertiser'
  GROUP BY account_id
),
account AS (SELECT id, balance_nanos FROM ledger.account WHERE kind = 'advertiser'),
faults AS (
  SELECT 'advertiser ' || coalesce(account.id, booked.account_id) || ' has '
    || ledger.as_amount(coalesce(account.balance_nanos, 0)) || ', but paid in '
    || ledger.as_amount(coalesce(booked.deposited, 0)) || ', got back '
    || ledger.as_amount(coalesce(booked.refunded, 0)) || ', was adjusted by '
    || ledger.as_amount(coalesce(booked.adjusted, 0)) || ' and charged '
    || ledger.as_amount(coalesce(booked.settled, 0)) AS fault
  FROM account
  FULL JOIN booked ON booked.account_id = account.id
  WHERE coalesce(account.balance_nanos, 0)
    <> coalesce(booked.deposited, 0) - coalesce(booked.refunded, 0) + coalesce(booked.adjusted, 0)
    - coalesce(booked.settled, 0)
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (
    SELECT 'advertisers: ' || count(*) || '; paid in ' || ledger.as_amount(coalesce(sum(deposited), 0)) || ', refunded '
      || ledger.as_amount(coalesce(sum(refunded), 0)) || ', adjusted by '
      || ledger.as_amount(coalesce(sum(adjusted), 0)) || ', charged ' || ledger.as_amount(coalesce(sum(settled), 0))
    FROM booked
  ) AS summary
