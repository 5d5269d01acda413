-- The log of callbacks, newest ads first. A filter that is null lets all pass.
-- $1 publisher_id text  $2 app_id text  $3 placement_id text: app/code  $4 request_id text
-- $5 status text  $6 before text: only ads before this one  $7 rows_max int4
SELECT
  request_id, publisher_id, app_id, placement, item, amount, is_test, rewarded_at, attempts, attempted_at, next_at,
  fault, delivered_at
FROM rewards.callback
WHERE ($1::text IS NULL OR publisher_id = $1)
  AND ($2::text IS NULL OR app_id = $2)
  AND ($3::text IS NULL OR (app_id = split_part($3, '/', 1) AND placement = split_part($3, '/', 2)))
  AND ($4::text IS NULL OR request_id = $4)
  AND (
    $5::text IS NULL
    OR $5 = CASE WHEN next_at IS NOT NULL THEN 'waiting' WHEN fault IS NULL THEN 'delivered' ELSE 'given_up' END
  )
  AND ($6::text IS NULL OR request_id < $6)
ORDER BY request_id DESC
LIMIT $7
