-- Adds to the hourly counts of fallbacks that were stored as rows, without a country, in one fixed order.
-- $1 hour_ms float8[]  $2 publisher_id text[]  $3 app_id text[]  $4 placement text[]  $5 format text[]  $6 reason text[]
-- $7 fallbacks int8[]
INSERT INTO stats.fallback_hour AS stored (hour, publisher_id, app_id, placement, format, reason, fallbacks)
SELECT to_timestamp(hour_ms / 1000), publisher_id, app_id, placement, format, reason, fallbacks
FROM unnest($1::float8[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int8[])
  AS change (hour_ms, publisher_id, app_id, placement, format, reason, fallbacks)
ORDER BY
  hour_ms, publisher_id COLLATE "C", app_id COLLATE "C", placement COLLATE "C", format COLLATE "C", reason COLLATE "C"
ON CONFLICT (hour, publisher_id, app_id, placement, format, reason) DO UPDATE
SET fallbacks = stored.fallbacks + excluded.fallbacks
