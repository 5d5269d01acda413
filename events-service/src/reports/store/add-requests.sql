-- Adds to the hourly counts of ad requests, in one fixed order; lines of one key are summed first.
-- $1 hour_ms float8[]  $2 publisher_id text[]  $3 app_id text[]  $4 placement text[]  $5 format text[]  $6 country text[]
-- $7 no_fill_reason text[]  $8 requests int8[]
INSERT INTO stats.request_hour AS stored (
  hour, publisher_id, app_id, placement, format, country, no_fill_reason, requests
)
SELECT
  to_timestamp(hour_ms / 1000), publisher_id, app_id, placement, format, country, no_fill_reason, sum(requests)
FROM unnest(
  $1::float8[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int8[]
) AS change (hour_ms, publisher_id, app_id, placement, format, country, no_fill_reason, requests)
GROUP BY hour_ms, publisher_id, app_id, placement, format, country, no_fill_reason
ORDER BY
  hour_ms, publisher_id COLLATE "C", app_id COLLATE "C", placement COLLATE "C", format COLLATE "C",
  country COLLATE "C", no_fill_reason COLLATE "C"
ON CONFLICT (hour, publisher_id, app_id, placement, format, country, no_fill_reason) DO UPDATE
SET requests = stored.requests + excluded.requests
