-- What console-service has booked as deposits is what the ledger has, advertiser by advertiser.
-- $1 advertiser_id text[]  $2 funded_nanos numeric[]
WITH funded AS (
  SELECT advertiser_id, sum(nanos) AS nanos
  FROM unnest($1::text[], $2::numeric[]) AS fund (advertiser_id, nanos)
  GROUP BY advertiser_id
),
booked AS (
  SELECT account_id, sum(sum_nanos) AS nanos
  FROM ledger.account_day
  WHERE account_kind = 'advertiser' AND transaction_kind = 'deposit'
  GROUP BY account_id
),
faults AS (
  SELECT 'advertiser ' || coalesce(funded.advertiser_id, booked.account_id) || ' is funded with '
    || ledger.as_amount(coalesce(funded.nanos, 0)) || ', the ledger has '
    || ledger.as_amount(coalesce(booked.nanos, 0)) AS fault
  FROM funded
  FULL JOIN booked ON booked.account_id = funded.advertiser_id
  WHERE coalesce(funded.nanos, 0) <> coalesce(booked.nanos, 0)
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT count(*) || ' advertisers, ' || ledger.as_amount(coalesce(sum(nanos), 0)) FROM funded) AS summary
