-- Adds to the hourly counts of integration errors, in one fixed order; lines of one key are summed first.
-- $1 hour_ms float8[]  $2 publisher_id text[]  $3 app_id text[]  $4 error text[]  $5 requests int8[]
INSERT INTO stats.integration_error_hour AS stored (hour, publisher_id, app_id, error, requests)
SELECT to_timestamp(hour_ms / 1000), publisher_id, app_id, error, sum(requests)
FROM unnest($1::float8[], $2::text[], $3::text[], $4::text[], $5::int8[])
  AS change (hour_ms, publisher_id, app_id, error, requests)
GROUP BY hour_ms, publisher_id, app_id, error
ORDER BY hour_ms, publisher_id COLLATE "C", app_id COLLATE "C", error COLLATE "C"
ON CONFLICT (hour, publisher_id, app_id, error) DO UPDATE
SET requests = stored.requests + excluded.requests
