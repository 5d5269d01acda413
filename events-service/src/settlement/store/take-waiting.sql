-- Locks the next rows that wait for settlement, in the order that all workers keep. Skips rows that another worker holds. A
-- place is the ctid of a row in its partition. It does not change while this transaction holds the row. The request id is read for
-- the trace of a settlement only.
-- $1 rows int4  $2 after_day date  $3 after_request_id text  $4 after_type text: only rows behind this key; all NULL: from the first
SELECT
  day, ctid AS place, arrived_at, traceparent,
  CASE WHEN traceparent IS NOT NULL THEN request_id END AS traced_request_id
FROM events.event
WHERE settled_at IS NULL
  AND ($2::date IS NULL OR (day, request_id, type) > ($2::date, $3::text, $4::text))
ORDER BY day, request_id, type
LIMIT $1
FOR UPDATE SKIP LOCKED
