-- The key of the next row that waits for settlement, locked or not.
-- $1 after_day date  $2 after_request_id text  $3 after_type text: only rows behind this key; all NULL: the first
SELECT day, request_id, type
FROM events.event
WHERE settled_at IS NULL
  AND ($1::date IS NULL OR (day, request_id, type) > ($1::date, $2::text, $3::text))
ORDER BY day, request_id, type
LIMIT 1
