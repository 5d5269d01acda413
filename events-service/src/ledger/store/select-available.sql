-- What an account can give: a publisher's balance; what an advertiser was given, less what its leases have spent or hold and
-- less its refunds. So accepted impressions that wait for settlement count as spent.
-- $1 account_kind text  $2 account_id text
SELECT
  CASE $1::text
    WHEN 'advertiser' THEN coalesce((
      SELECT sum(sum_nanos)
      FROM ledger.account_day
      WHERE account_kind = $1 AND account_id = $2 AND transaction_kind IN ('deposit', 'adjustment')
    ), 0) - coalesce((
      SELECT open_nanos + closed_nanos FROM budget.advertiser WHERE advertiser_id = $2
    ), 0)
    ELSE coalesce((SELECT balance_nanos FROM ledger.account WHERE kind = $1 AND id = $2), 0)
  END AS available_nanos
