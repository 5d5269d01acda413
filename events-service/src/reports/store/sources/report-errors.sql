-- Integration errors. Those without an app are left out where rows are split by app or publisher.
-- $1 from_ms float8  $2 to_ms float8: half-open  $3 rows_max int4  $4 of_app_only bool; the keys and filters of the report
-- stand where /*keys*/ and /*filters*/ stand
SELECT ARRAY[/*keys*/]::text[] AS keys, error AS reason, sum(requests) AS count
FROM stats.integration_error_hour
WHERE hour >= to_timestamp($1::float8 / 1000) AND hour < to_timestamp($2::float8 / 1000)
  AND (NOT $4::boolean OR app_id <> '') /*filters*/
GROUP BY 1, error
LIMIT $3
