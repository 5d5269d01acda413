-- An advertiser's campaign-minutes that can still gain an impression. What was accepted is at least reserved, also where a
-- fill's report has not arrived yet; what counters were found to hold beyond the reports counts as reserved. A minute ends as in
-- select-accepted-sums.sql: long enough after its last fill, and not while an insert runs that may still store an impression.
-- $1 advertiser_id text  $2 final_after_ms float8  $3 store_after_ms float8  $4 looked_at_ms float8
-- $5 oldest_insert_at_ms float8: NULL when none was running
SELECT
  fills.campaign_id,
  fills.minute,
  greatest(fills.reserved_nanos + fills.found_nanos - judged.suspicious_nanos, judged.accepted_nanos) AS reserved_nanos,
  judged.accepted_nanos,
  fills.expires_at
FROM events.fills
CROSS JOIN LATERAL (
  SELECT
    coalesce(sum(event.cost_nanos) FILTER (WHERE event.verdict = 'accepted'), 0) AS accepted_nanos,
    coalesce(sum(event.cost_nanos) FILTER (WHERE event.verdict = 'suspicious'), 0) AS suspicious_nanos
  FROM events.event
  WHERE event.day = date '1970-01-01' + (fills.minute / 1440)::int
    AND event.campaign_id = fills.campaign_id
    AND event.fill_minute = fills.minute
    AND event.type = 'impression' AND NOT event.is_test
) AS judged
WHERE fills.advertiser_id = $1
  AND (
    to_timestamp($4::float8 / 1000) < fills.expires_at + make_interval(secs => $2::float8 / 1000)
    OR to_timestamp($5::float8 / 1000) <= fills.expires_at + make_interval(secs => $3::float8 / 1000)
  )
ORDER BY fills.campaign_id, fills.minute
