-- Accepted spend of an advertiser's campaigns by day of the ad request, settled or not. In one statement, so in one
-- snapshot: no impression is missed or counted twice while a worker moves it from waiting to settled.
-- $1 advertiser_id text
SELECT campaign_id, day, sum(spend_nanos) AS spend_nanos
FROM (
  SELECT campaign_id, day, spend_nanos
  FROM stats.campaign_day
  WHERE advertiser_id = $1
  UNION ALL
  SELECT campaign_id, day, cost_nanos
  FROM events.event
  WHERE settled_at IS NULL AND type = 'impression' AND advertiser_id = $1
) AS spend
GROUP BY campaign_id, day
