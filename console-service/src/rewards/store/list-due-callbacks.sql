-- Attempts that are due, first ones first.
-- $1 until_ms float8  $2 after_ms float8  $3 after_request_id text: only those behind this place; both NULL: from the first
-- $4 rows_max int4
SELECT request_id, round, round_attempts, next_at
FROM rewards.callback
WHERE next_at <= to_timestamp($1::float8 / 1000)
  AND ($2::float8 IS NULL OR (next_at, request_id) > (to_timestamp($2::float8 / 1000), $3::text))
ORDER BY next_at, request_id
LIMIT $4
