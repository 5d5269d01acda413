-- Fallbacks that clients reported. The country is empty for those that an earlier release counted without it.
-- $1 from_ms float8  $2 to_ms float8: half-open  $3 rows_max int4; the split's columns stand where /*keys*/ stands
SELECT ARRAY[/*keys*/]::text[] AS keys, sum(fallbacks) AS count
FROM (
  SELECT hour, publisher_id, app_id, placement, format, country, fallbacks FROM stats.fallback_country_hour
  UNION ALL
  SELECT hour, publisher_id, app_id, placement, format, '', fallbacks FROM stats.fallback_hour
) AS counted
WHERE hour >= to_timestamp($1::float8 / 1000) AND hour < to_timestamp($2::float8 / 1000)
GROUP BY 1
LIMIT $3
