-- Inserts missing rows of sums with zeros.
-- $1 advertiser_id text[]  $2 campaign_id text[]  $3 day date[]
WITH wanted AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::date[]) AS wanted (advertiser_id, campaign_id, day)
),
advertisers AS (
  INSERT INTO budget.advertiser (advertiser_id)
  SELECT DISTINCT advertiser_id FROM wanted ORDER BY advertiser_id
  ON CONFLICT DO NOTHING
),
campaigns AS (
  INSERT INTO budget.campaign (advertiser_id, campaign_id)
  SELECT DISTINCT advertiser_id, campaign_id FROM wanted ORDER BY advertiser_id, campaign_id
  ON CONFLICT DO NOTHING
)
INSERT INTO budget.campaign_day (advertiser_id, campaign_id, day)
SELECT DISTINCT advertiser_id, campaign_id, day FROM wanted ORDER BY advertiser_id, campaign_id, day
ON CONFLICT DO NOTHING
