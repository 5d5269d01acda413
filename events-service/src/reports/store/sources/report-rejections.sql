-- Rejected events by reason. Leaves out events with an unreadable token when the split needs the token.
-- $1 from_ms float8  $2 to_ms float8: half-open  $3 rows_max int4  $4 readable_only bool; the keys and filters of the report
-- stand where /*keys*/ and /*filters*/ stand
SELECT ARRAY[/*keys*/]::text[] AS keys, reason, sum(rejections) AS count
FROM stats.rejection_hour
WHERE hour >= to_timestamp($1::float8 / 1000) AND hour < to_timestamp($2::float8 / 1000)
  AND (NOT $4::boolean OR app_id <> '') /*filters*/
GROUP BY 1, reason
LIMIT $3
