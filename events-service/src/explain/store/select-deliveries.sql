-- Fills, impressions and clicks of a campaign by hour, from the tables of the reports.
-- $1 campaign_id text  $2 from_ms float8  $3 to_ms float8: half-open
SELECT
  extract(epoch FROM hour)::int8 / 3600 AS hour,
  sum(fills)::int8 AS fills,
  sum(impressions)::int8 AS impressions,
  sum(clicks)::int8 AS clicks
FROM (
  SELECT hour, fills, 0 AS impressions, 0 AS clicks
  FROM stats.fill_hour
  WHERE campaign_id = $1 AND hour >= to_timestamp($2::float8 / 1000) AND hour < to_timestamp($3::float8 / 1000)
  UNION ALL
  SELECT hour, 0, impressions, clicks
  FROM stats.event_hour
  WHERE campaign_id = $1 AND hour >= to_timestamp($2::float8 / 1000) AND hour < to_timestamp($3::float8 / 1000)
) AS delivery
GROUP BY 1
ORDER BY 1
