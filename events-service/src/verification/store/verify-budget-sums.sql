-- The sums for grants equal the leases: open money of each campaign's day equals that of its open leases, days add up to
-- campaigns, and campaigns and refunds add up to advertisers. Refunds are those of the ledger. No lease has accepted more money
-- than it was granted.
WITH leased AS (
  SELECT
    advertiser_id, campaign_id, date '1970-01-01' + (minute / 1440)::int AS day,
    sum(granted_nanos - returned_nanos - released_nanos) AS open_nanos
  FROM budget.lease
  WHERE closed_at IS NULL
  GROUP BY advertiser_id, campaign_id, date '1970-01-01' + (minute / 1440)::int
),
campaigns AS (
  SELECT advertiser_id, campaign_id, sum(open_nanos) AS open_nanos, sum(closed_nanos) AS closed_nanos
  FROM budget.campaign_day GROUP BY advertiser_id, campaign_id
),
advertisers AS (
  SELECT advertiser_id, sum(open_nanos) AS open_nanos, sum(closed_nanos) AS closed_nanos
  FROM budget.campaign GROUP BY advertiser_id
),
refunds AS (
  SELECT account_id AS advertiser_id, -sum(sum_nanos) AS refunded_nanos
  FROM ledger.account_day
  WHERE account_kind = 'advertiser' AND transaction_kind = 'refund'
  GROUP BY account_id
),
faults AS (
  SELECT 'open money of ' || campaign_id || ' on ' || day || ' is '
    || ledger.as_amount(coalesce(stored.open_nanos, 0)) || ', its open leases hold '
    || ledger.as_amount(coalesce(leased.open_nanos, 0)) AS fault
  FROM budget.campaign_day AS stored
  FULL JOIN leased USING (advertiser_id, campaign_id, day)
  WHERE coalesce(stored.open_nanos, 0) <> coalesce(leased.open_nanos, 0)
  UNION ALL
  SELECT 'budget sums of ' || campaign_id || ' are not those of its days'
  FROM budget.campaign AS stored
  FULL JOIN campaigns USING (advertiser_id, campaign_id)
  WHERE coalesce(stored.open_nanos, 0) <> coalesce(campaigns.open_nanos, 0)
    OR coalesce(stored.closed_nanos, 0) <> coalesce(campaigns.closed_nanos, 0)
  UNION ALL
  SELECT 'budget sums of ' || advertiser_id || ' are not those of its campaigns'
  FROM budget.advertiser AS stored
  FULL JOIN advertisers USING (advertiser_id)
  WHERE coalesce(stored.open_nanos, 0) <> coalesce(advertisers.open_nanos, 0)
    OR coalesce(stored.closed_nanos - stored.refunded_nanos, 0) <> coalesce(advertisers.closed_nanos, 0)
  UNION ALL
  SELECT 'budgets count ' || ledger.as_amount(coalesce(stored.refunded_nanos, 0)) || ' as refunded to ' || advertiser_id
    || ', the ledger has ' || ledger.as_amount(coalesce(refunds.refunded_nanos, 0))
  FROM budget.advertiser AS stored
  FULL JOIN refunds USING (advertiser_id)
  WHERE coalesce(stored.refunded_nanos, 0) <> coalesce(refunds.refunded_nanos, 0)
  UNION ALL
  SELECT 'lease ' || campaign_id || '/' || minute || '/' || run || ' was granted ' || ledger.as_amount(granted_nanos)
    || ' and has used ' || ledger.as_amount(accepted_nanos + suspicious_nanos + returned_nanos)
  FROM budget.lease
  WHERE run <> '' AND accepted_nanos + suspicious_nanos + returned_nanos > granted_nanos
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (
    SELECT 'campaigns: ' || count(*) || '; open ' || ledger.as_amount(coalesce(sum(open_nanos), 0)) || '; closed '
      || ledger.as_amount(coalesce(sum(closed_nanos), 0))
    FROM budget.campaign
  ) AS summary
