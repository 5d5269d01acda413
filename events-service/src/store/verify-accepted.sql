-- Each accepted impression is either booked and settled, or neither. Bookings of days whose events are no longer kept
-- are left out.
WITH accepted AS (
  SELECT request_id, cost_nanos, settled_at IS NOT NULL AS is_settled
  FROM events.event
  WHERE type = 'impression' AND verdict = 'accepted' AND NOT is_test
),
booked AS (
  SELECT id, booking.event_day FROM ledger.transaction AS booking
  WHERE booking.kind = 'impression'
    AND booking.event_day >= coalesce((SELECT min(day) FROM events.event), date '-infinity')
),
faults AS (
  SELECT CASE
      WHEN accepted.request_id IS NULL THEN 'impression ' || booked.id || ' is booked and was never accepted'
      WHEN accepted.is_settled THEN 'impression ' || accepted.request_id || ' is settled and not booked'
      ELSE 'impression ' || accepted.request_id || ' is booked and still waits'
    END AS fault
  FROM accepted
  FULL JOIN booked ON booked.id = accepted.request_id
  WHERE accepted.request_id IS NULL OR accepted.is_settled <> (booked.id IS NOT NULL)
),
sums AS (
  SELECT
    count(*) AS impressions, coalesce(sum(cost_nanos), 0) AS nanos,
    count(*) FILTER (WHERE is_settled) AS settled,
    coalesce(sum(cost_nanos) FILTER (WHERE is_settled), 0) AS settled_nanos
  FROM accepted
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (
    SELECT impressions || ' (' || ledger.as_amount(nanos) || ') = ' || settled || ' (' || ledger.as_amount(settled_nanos)
      || ') + ' || impressions - settled || ' (' || ledger.as_amount(nanos - settled_nanos) || ')'
    FROM sums
  ) AS summary
