-- Accepted events and the money that was booked for them.
-- $1 from_ms float8  $2 to_ms float8: half-open  $3 rows_max int4; the keys and filters of the report stand where
-- /*keys*/ and /*filters*/ stand
SELECT
  ARRAY[/*keys*/]::text[] AS keys,
  sum(impressions) AS impressions,
  sum(clicks) AS clicks,
  sum(rewards) AS rewards,
  sum(spend_nanos) AS spend_nanos,
  sum(revenue_nanos) AS revenue_nanos
FROM stats.event_hour
WHERE hour >= to_timestamp($1::float8 / 1000) AND hour < to_timestamp($2::float8 / 1000) /*filters*/
GROUP BY 1
LIMIT $3
