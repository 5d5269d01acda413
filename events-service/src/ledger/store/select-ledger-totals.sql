-- The sum of all accounts, and the sum of advertisers' balances below zero as a positive amount. No parameters.
SELECT
  coalesce(sum(balance_nanos), 0) AS sum_nanos,
  coalesce(-sum(balance_nanos) FILTER (WHERE kind = 'advertiser' AND balance_nanos < 0), 0) AS overdrawn_nanos
FROM ledger.account
