-- Makes open leases of one filled ad each for the minutes up to now, with their sums, like after a long load.
-- $1 advertiser_id text[]  $2 campaign_id text[]  $3 cost_nanos int8[]  $4 minutes int4  $5 leases_per_minute float8: of one
-- campaign  $6 ad_ttl_ms float8
WITH campaign AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::int8[]) AS campaign (advertiser_id, campaign_id, cost_nanos)
),
lease AS (
  INSERT INTO budget.lease (
    campaign_id, minute, run, advertiser_id, granted_nanos, filled_nanos, expires_at, is_ended
  )
  SELECT
    campaign_id, minute, 'past-' || replica, advertiser_id, cost_nanos, cost_nanos,
    to_timestamp((minute + 1) * 60 + $6::float8 / 1000), true
  FROM campaign
  CROSS JOIN generate_series(
    floor(extract(epoch FROM now()) / 60)::int8 - $4::int4, floor(extract(epoch FROM now()) / 60)::int8 - 1
  ) AS minute
  CROSS JOIN generate_series(1, 10) AS replica
  WHERE random() * 10 < $5::float8
  RETURNING advertiser_id, campaign_id, date '1970-01-01' + (minute / 1440)::int AS day, granted_nanos
),
days AS (
  INSERT INTO budget.campaign_day (advertiser_id, campaign_id, day, open_nanos)
  SELECT advertiser_id, campaign_id, day, sum(granted_nanos) FROM lease GROUP BY advertiser_id, campaign_id, day
),
campaigns AS (
  INSERT INTO budget.campaign (advertiser_id, campaign_id, open_nanos)
  SELECT advertiser_id, campaign_id, sum(granted_nanos) FROM lease GROUP BY advertiser_id, campaign_id
)
INSERT INTO budget.advertiser (advertiser_id, open_nanos)
SELECT advertiser_id, sum(granted_nanos) FROM lease GROUP BY advertiser_id
