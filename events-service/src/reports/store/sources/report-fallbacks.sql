-- Fallbacks that clients reported, by reason. The country is empty for those that an earlier release counted without it.
-- $1 from_ms float8  $2 to_ms float8: half-open  $3 rows_max int4; the keys and filters of the report stand where
-- /*keys*/ and /*filters*/ stand
SELECT ARRAY[/*keys*/]::text[] AS keys, reason, sum(fallbacks) AS count
FROM (
  SELECT hour, publisher_id, app_id, placement, format, country, reason, fallbacks FROM stats.fallback_country_hour
  UNION ALL
  SELECT hour, publisher_id, app_id, placement, format, '', reason, fallbacks FROM stats.fallback_hour
) AS counted
WHERE hour >= to_timestamp($1::float8 / 1000) AND hour < to_timestamp($2::float8 / 1000) /*filters*/
GROUP BY 1, reason
LIMIT $3
