-- Adds to the hourly counts of ad requests by version, in one fixed order; lines of one key are summed first.
-- $1 hour_ms float8[]  $2 publisher_id text[]  $3 app_id text[]  $4 country text[]  $5 app_version text[]
-- $6 sdk_version text[]  $7 no_fill_reason text[]  $8 requests int8[]
INSERT INTO stats.request_version_hour AS stored (
  hour, publisher_id, app_id, country, app_version, sdk_version, no_fill_reason, requests
)
SELECT
  to_timestamp(hour_ms / 1000), publisher_id, app_id, country, app_version, sdk_version, no_fill_reason, sum(requests)
FROM unnest(
  $1::float8[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int8[]
) AS change (hour_ms, publisher_id, app_id, country, app_version, sdk_version, no_fill_reason, requests)
GROUP BY hour_ms, publisher_id, app_id, country, app_version, sdk_version, no_fill_reason
ORDER BY
  hour_ms, publisher_id COLLATE "C", app_id COLLATE "C", country COLLATE "C", app_version COLLATE "C",
  sdk_version COLLATE "C", no_fill_reason COLLATE "C"
ON CONFLICT (hour, publisher_id, app_id, country, app_version, sdk_version, no_fill_reason) DO UPDATE
SET requests = stored.requests + excluded.requests
