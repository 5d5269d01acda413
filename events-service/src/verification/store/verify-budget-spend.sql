-- Budgets count accepted spend: for each campaign's day, closed money plus the accepted money of open leases equals the
-- settled impressions plus those that wait for settlement.
WITH budgeted AS (
  SELECT advertiser_id, campaign_id, day, sum(nanos) AS nanos
  FROM (
    SELECT advertiser_id, campaign_id, day, closed_nanos AS nanos FROM budget.campaign_day
    UNION ALL
    SELECT advertiser_id, campaign_id, date '1970-01-01' + (minute / 1440)::int, accepted_nanos
    FROM budget.lease
    WHERE closed_at IS NULL
  ) AS part
  GROUP BY advertiser_id, campaign_id, day
),
accepted AS (
  SELECT advertiser_id, campaign_id, day, sum(nanos) AS nanos
  FROM (
    SELECT advertiser_id, campaign_id, day, spend_nanos AS nanos FROM stats.campaign_day
    UNION ALL
    SELECT advertiser_id, campaign_id, day, cost_nanos FROM events.event WHERE settled_at IS NULL AND type = 'impression'
  ) AS part
  GROUP BY advertiser_id, campaign_id, day
),
faults AS (
  SELECT 'the budget of ' || campaign_id || ' counts ' || ledger.as_amount(coalesce(budgeted.nanos, 0)) || ' for ' || day
    || ', accepted impressions cost ' || ledger.as_amount(coalesce(accepted.nanos, 0)) AS fault
  FROM budgeted
  FULL JOIN accepted USING (advertiser_id, campaign_id, day)
  WHERE coalesce(budgeted.nanos, 0) <> coalesce(accepted.nanos, 0)
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT 'spent ' || ledger.as_amount(coalesce(sum(nanos), 0)) FROM budgeted) AS summary
