-- The half hours of whole days for the groups with most requests. A group's first day on record is left out, because its
-- traffic may have begun at any hour.
-- $1 from_ms float8  $2 to_ms float8: both midnights UTC, the second not included  $3 groups_max int8
WITH known AS (
  SELECT
    app_category, format,
    date_trunc('day', min(half_hour), 'UTC') + interval '1 day' AS whole_from,
    sum(requests) FILTER (WHERE half_hour >= to_timestamp($1::float8 / 1000)) AS requests
  FROM stats.traffic_half_hour
  WHERE half_hour < to_timestamp($2::float8 / 1000)
  GROUP BY app_category, format
  ORDER BY requests DESC NULLS LAST, app_category, format
  LIMIT $3
)
SELECT
  traffic.app_category,
  traffic.format,
  extract(epoch FROM traffic.half_hour)::float8 * 1000 AS at_ms,
  traffic.requests::float8 AS requests
FROM known
JOIN stats.traffic_half_hour AS traffic USING (app_category, format)
WHERE traffic.half_hour >= greatest(to_timestamp($1::float8 / 1000), known.whole_from)
  AND traffic.half_hour < to_timestamp($2::float8 / 1000)
ORDER BY traffic.app_category, traffic.format, traffic.half_hour
