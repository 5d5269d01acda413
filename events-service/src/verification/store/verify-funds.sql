-- For each account, the funds that console-service has booked equal those in the ledger: deposits and adjustments of
-- advertisers, adjustments of publishers.
-- $1 account_kind text[]  $2 account_id text[]  $3 nanos numeric[]
WITH funded AS (
  SELECT account_kind, account_id, sum(nanos) AS nanos
  FROM unnest($1::text[], $2::text[], $3::numeric[]) AS fund (account_kind, account_id, nanos)
  GROUP BY account_kind, account_id
),
booked AS (
  SELECT account_kind, account_id, sum(sum_nanos) AS nanos
  FROM ledger.account_day
  WHERE account_kind IN ('advertiser', 'publisher') AND transaction_kind IN ('deposit', 'adjustment')
  GROUP BY account_kind, account_id
),
faults AS (
  SELECT coalesce(funded.account_kind, booked.account_kind) || ' ' || coalesce(funded.account_id, booked.account_id)
    || ': console-service has booked ' || ledger.as_amount(coalesce(funded.nanos, 0)) || ', the ledger has '
    || ledger.as_amount(coalesce(booked.nanos, 0)) AS fault
  FROM funded
  FULL JOIN booked ON booked.account_kind = funded.account_kind AND booked.account_id = funded.account_id
  WHERE coalesce(funded.nanos, 0) <> coalesce(booked.nanos, 0)
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT 'accounts: ' || count(*) || '; sum ' || ledger.as_amount(coalesce(sum(nanos), 0)) FROM funded) AS summary
