-- The sums of campaigns' days, of their campaigns and of their advertisers. A caller that changes sums turns the comments
-- behind the three selects into clauses. The rows are then locked in this order: advertisers, campaigns, days, each by key.
-- $1 advertiser_id text[]  $2 campaign_id text[]  $3 day date[]
WITH advertisers AS MATERIALIZED (
  SELECT advertiser_id, open_nanos, closed_nanos
  FROM budget.advertiser
  WHERE advertiser_id = ANY ($1::text[])
  ORDER BY advertiser_id COLLATE "C"
  -- FOR NO KEY UPDATE
),
campaigns AS MATERIALIZED (
  SELECT advertiser_id, campaign_id, open_nanos, closed_nanos, shown_nanos, unshown_nanos, late_nanos
  FROM budget.campaign
  WHERE (advertiser_id, campaign_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
  ORDER BY advertiser_id COLLATE "C", campaign_id COLLATE "C"
  -- FOR NO KEY UPDATE
),
days AS MATERIALIZED (
  SELECT
    advertiser_id, campaign_id, day, open_nanos, closed_nanos, anchor_at, anchor_spent_nanos, anchor_budget_nanos
  FROM budget.campaign_day
  WHERE (advertiser_id, campaign_id, day) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::date[]))
  ORDER BY advertiser_id COLLATE "C", campaign_id COLLATE "C", campaign_day.day
  -- FOR NO KEY UPDATE
)
SELECT
  'advertiser' AS kind, advertiser_id, NULL AS campaign_id, NULL::int AS day, open_nanos, closed_nanos,
  NULL::float8 AS shown_nanos, NULL::float8 AS unshown_nanos, NULL::float8 AS late_nanos,
  NULL::timestamptz AS anchor_at, NULL::int8 AS anchor_spent_nanos, NULL::int8 AS anchor_budget_nanos
FROM advertisers
UNION ALL
SELECT
  'campaign', advertiser_id, campaign_id, NULL, open_nanos, closed_nanos, shown_nanos, unshown_nanos, late_nanos,
  NULL, NULL, NULL
FROM campaigns
UNION ALL
SELECT
  'day', advertiser_id, campaign_id, day - date '1970-01-01', open_nanos, closed_nanos, NULL, NULL, NULL,
  anchor_at, anchor_spent_nanos, anchor_budget_nanos
FROM days
