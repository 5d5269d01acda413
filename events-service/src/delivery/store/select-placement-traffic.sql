-- The requests of placements in the two hours before an instant, and the mean of the same two hours of the seven days before.
-- A placement's days begin with its first request in these hours, so that a new one is compared with itself only. Rows with
-- the largest loss come first.
-- $1 to_ms float8: a whole hour  $2 usual_min float8  $3 rows_max int4
WITH asked AS (
  SELECT days_ago, to_timestamp($1::float8 / 1000) - make_interval(hours => 24 * days_ago) AS to_hour
  FROM generate_series(0, 7) AS days_ago
),
counted AS (
  SELECT stored.publisher_id, stored.app_id, stored.placement, asked.days_ago, sum(stored.requests) AS requests
  FROM asked
  JOIN stats.request_hour AS stored
    ON stored.hour >= asked.to_hour - interval '2 hours' AND stored.hour < asked.to_hour
  GROUP BY stored.publisher_id, stored.app_id, stored.placement, asked.days_ago
),
placements AS (
  SELECT
    publisher_id, app_id, placement,
    coalesce(sum(requests) FILTER (WHERE days_ago = 0), 0) AS requests,
    coalesce(sum(requests) FILTER (WHERE days_ago > 0), 0) AS earlier,
    max(days_ago) AS days
  FROM counted
  GROUP BY publisher_id, app_id, placement
)
SELECT publisher_id, app_id, placement, requests, (earlier / days)::float8 AS usual, days
FROM placements
WHERE days > 0 AND earlier / days >= $2::float8
ORDER BY requests - earlier / days, app_id, placement
LIMIT $3
