-- Adds to the half-hourly counts of traffic, in one fixed order; lines of one key are summed first.
-- $1 half_hour_ms float8[]  $2 app_category text[]  $3 format text[]  $4 requests int8[]
INSERT INTO stats.traffic_half_hour AS stored (half_hour, app_category, format, requests)
SELECT to_timestamp(half_hour_ms / 1000), app_category, format, sum(requests)
FROM unnest($1::float8[], $2::text[], $3::text[], $4::int8[]) AS change (half_hour_ms, app_category, format, requests)
GROUP BY half_hour_ms, app_category, format
ORDER BY half_hour_ms, app_category COLLATE "C", format COLLATE "C"
ON CONFLICT (half_hour, app_category, format) DO UPDATE
SET requests = stored.requests + excluded.requests
