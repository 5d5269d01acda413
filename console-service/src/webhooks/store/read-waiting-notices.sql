-- The notices that are not over, oldest first.
-- $1 after_ms float8  $2 after_id text: only those behind this place; both NULL: from the first  $3 rows_max int4
SELECT id, made_at
FROM health.notice
WHERE delivered_at IS NULL AND given_up_at IS NULL
  AND ($1::float8 IS NULL OR (made_at, id) > (to_timestamp($1::float8 / 1000), $2::text))
ORDER BY made_at, id
LIMIT $3
