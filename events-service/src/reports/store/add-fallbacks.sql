-- Adds fallbacks to their hourly counts, one input line for each fallback, in one fixed order.
-- $1 hour_ms float8[]  $2 publisher_id text[]  $3 app_id text[]  $4 placement text[]  $5 format text[]  $6 country text[]
-- $7 reason text[]
INSERT INTO stats.fallback_country_hour AS stored (
  hour, publisher_id, app_id, placement, format, country, reason, fallbacks
)
SELECT to_timestamp(hour_ms / 1000), publisher_id, app_id, placement, format, country, reason, count(*)
FROM unnest($1::float8[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
  AS fallback (hour_ms, publisher_id, app_id, placement, format, country, reason)
GROUP BY hour_ms, publisher_id, app_id, placement, format, country, reason
ORDER BY
  hour_ms, publisher_id COLLATE "C", app_id COLLATE "C", placement COLLATE "C", format COLLATE "C",
  country COLLATE "C", reason COLLATE "C"
ON CONFLICT (hour, publisher_id, app_id, placement, format, country, reason) DO UPDATE
SET fallbacks = stored.fallbacks + excluded.fallbacks
