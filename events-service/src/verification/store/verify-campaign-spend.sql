-- For each advertiser, the settled spend of its campaigns equals the money that the ledger has charged.
WITH spent AS (
  SELECT advertiser_id, sum(spend_nanos) AS nanos, sum(impressions) AS impressions
  FROM stats.campaign_day GROUP BY advertiser_id
),
booked AS (
  SELECT account_id, -sum(sum_nanos) AS nanos, sum(entries) AS impressions
  FROM ledger.account_day
  WHERE account_kind = 'advertiser' AND transaction_kind = 'impression'
  GROUP BY account_id
),
faults AS (
  SELECT 'the campaigns of ' || coalesce(spent.advertiser_id, booked.account_id) || ' have spent '
    || ledger.as_amount(coalesce(spent.nanos, 0)) || ', the ledger has charged '
    || ledger.as_amount(coalesce(booked.nanos, 0)) AS fault
  FROM spent
  FULL JOIN booked ON booked.account_id = spent.advertiser_id
  WHERE spent.nanos IS DISTINCT FROM booked.nanos OR spent.impressions IS DISTINCT FROM booked.impressions
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT 'advertisers: ' || count(*) || '; spent ' || ledger.as_amount(coalesce(sum(nanos), 0)) FROM spent) AS summary
