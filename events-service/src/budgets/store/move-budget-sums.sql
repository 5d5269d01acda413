-- Adds to the sums of advertisers, campaigns and days; the caller holds their locks.
-- $1 advertiser_id text[]  $2 campaign_id text[]  $3 day date[]  $4 open_nanos numeric[]  $5 closed_nanos numeric[]
WITH moved AS (
  SELECT *
  FROM unnest($1::text[], $2::text[], $3::date[], $4::numeric[], $5::numeric[])
    AS moved (advertiser_id, campaign_id, day, open_nanos, closed_nanos)
),
advertisers AS (
  UPDATE budget.advertiser AS stored
  SET open_nanos = stored.open_nanos + sums.open_nanos, closed_nanos = stored.closed_nanos + sums.closed_nanos
  FROM (
    SELECT advertiser_id, sum(open_nanos) AS open_nanos, sum(closed_nanos) AS closed_nanos
    FROM moved GROUP BY advertiser_id
  ) AS sums
  WHERE stored.advertiser_id = sums.advertiser_id
),
campaigns AS (
  UPDATE budget.campaign AS stored
  SET open_nanos = stored.open_nanos + sums.open_nanos, closed_nanos = stored.closed_nanos + sums.closed_nanos
  FROM (
    SELECT advertiser_id, campaign_id, sum(open_nanos) AS open_nanos, sum(closed_nanos) AS closed_nanos
    FROM moved GROUP BY advertiser_id, campaign_id
  ) AS sums
  WHERE stored.advertiser_id = sums.advertiser_id AND stored.campaign_id = sums.campaign_id
)
UPDATE budget.campaign_day AS stored
SET open_nanos = stored.open_nanos + moved.open_nanos, closed_nanos = stored.closed_nanos + moved.closed_nanos
FROM moved
WHERE stored.advertiser_id = moved.advertiser_id AND stored.campaign_id = moved.campaign_id AND stored.day = moved.day
