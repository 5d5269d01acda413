-- Takes the next rows that wait for settlement, in the one order that every worker keeps; rows of another worker are
-- passed over.
-- $1 rows int4  $2 after_day date  $3 after_request_id text  $4 after_type text: only rows behind this key; all NULL: from the first
SELECT
  ctid, day, request_id, type, verdict, rule, is_test, arrived_at, fill_minute, session_id, publisher_id, app_id, placement,
  format, country, advertiser_id, campaign_id, creative_id, cost_nanos, publisher_nanos, completion, fallback_reason,
  lease_run, traceparent
FROM events.event
WHERE settled_at IS NULL
  AND ($2::date IS NULL OR (day, request_id, type) > ($2::date, $3::text, $4::text))
ORDER BY day, request_id, type
LIMIT $1
FOR UPDATE SKIP LOCKED
