-- Live ad requests by no-fill reason (empty: a fill), with the versions that they name.
-- $1 from_ms float8  $2 to_ms float8: half-open  $3 rows_max int4; the keys and filters of the report stand where
-- /*keys*/ and /*filters*/ stand
SELECT ARRAY[/*keys*/]::text[] AS keys, no_fill_reason AS reason, sum(requests) AS count
FROM stats.request_version_hour
WHERE hour >= to_timestamp($1::float8 / 1000) AND hour < to_timestamp($2::float8 / 1000) /*filters*/
GROUP BY 1, no_fill_reason
LIMIT $3
