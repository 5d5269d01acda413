-- For the partitions of a range of days: as many impressions are stored as were accepted, and each settled one is booked. For
-- a dropped partition as many impressions are booked as were accepted.
-- $1 from_day date  $2 to_day date: half-open
WITH stored AS (
  SELECT day, count(*) AS impressions, sum(cost_nanos) AS nanos
  FROM events.event
  WHERE day >= $1::date AND day < $2::date AND type = 'impression' AND verdict = 'accepted' AND NOT is_test
  GROUP BY day
),
kept AS (
  SELECT day, sum(impressions) AS impressions, sum(cost_nanos) AS nanos
  FROM events.accepted_day
  WHERE day >= $1::date AND day < $2::date
  GROUP BY day
),
booked AS (
  SELECT event_day AS day, count(*) AS impressions
  FROM ledger.transaction
  WHERE kind = 'impression' AND event_day >= $1::date AND event_day < $2::date
  GROUP BY event_day
),
faults AS (
  SELECT day || ': ' || coalesce(kept.impressions, 0) || ' impressions ('
    || ledger.as_amount(coalesce(kept.nanos, 0)) || ') were accepted, ' || coalesce(stored.impressions, 0) || ' ('
    || ledger.as_amount(coalesce(stored.nanos, 0)) || ') are stored' AS fault
  FROM kept
  FULL JOIN stored USING (day)
  WHERE NOT EXISTS (SELECT FROM events.dropped_day WHERE dropped_day.day = coalesce(kept.day, stored.day))
    AND (kept.impressions IS DISTINCT FROM stored.impressions OR kept.nanos IS DISTINCT FROM stored.nanos)
  UNION ALL
  SELECT day || ' (its events were dropped): ' || coalesce(kept.impressions, 0) || ' impressions were accepted and '
    || coalesce(booked.impressions, 0) || ' are booked'
  FROM events.dropped_day
  LEFT JOIN kept USING (day)
  LEFT JOIN booked USING (day)
  WHERE day >= $1::date AND day < $2::date
    AND coalesce(kept.impressions, 0) <> coalesce(booked.impressions, 0)
  UNION ALL
  SELECT 'impression ' || event.request_id || ' is settled and not booked'
  FROM events.event
  LEFT JOIN ledger.transaction
    ON transaction.kind = 'impression' AND transaction.id = event.request_id AND transaction.event_day = event.day
    AND transaction.event_day >= $1::date AND transaction.event_day < $2::date
  WHERE event.day >= $1::date AND event.day < $2::date
    AND event.type = 'impression' AND event.verdict = 'accepted' AND NOT event.is_test
    AND event.settled_at IS NOT NULL AND transaction.id IS NULL
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT coalesce(sum(impressions), 0) FROM stored) AS looked_at
