-- For the kept leases of a range of days: accepted and suspicious money equals that of the stored impressions.
-- $1 from_day date  $2 to_day date: half-open
WITH stored AS (
  SELECT
    campaign_id, fill_minute AS minute, lease_run AS run,
    sum(cost_nanos) FILTER (WHERE verdict = 'accepted') AS accepted_nanos,
    sum(cost_nanos) FILTER (WHERE verdict = 'suspicious') AS suspicious_nanos
  FROM events.event
  WHERE day >= $1::date AND day < $2::date AND type = 'impression' AND NOT is_test
  GROUP BY campaign_id, fill_minute, lease_run
),
kept AS (
  SELECT *
  FROM budget.lease
  WHERE minute >= CASE WHEN $1::date = '-infinity' THEN 0 ELSE ($1::date - date '1970-01-01') * 1440::int8 END
    AND minute < CASE WHEN $2::date = 'infinity' THEN 9000000000 ELSE ($2::date - date '1970-01-01') * 1440::int8 END
    AND run <> ''
    AND NOT EXISTS (
      SELECT FROM events.dropped_day WHERE dropped_day.day = date '1970-01-01' + (lease.minute / 1440)::int
    )
),
faults AS (
  SELECT 'lease ' || campaign_id || '/' || minute || '/' || run || ' counts '
    || ledger.as_amount(kept.accepted_nanos) || ' as accepted, stored impressions cost '
    || ledger.as_amount(coalesce(stored.accepted_nanos, 0)) AS fault
  FROM kept
  LEFT JOIN stored USING (campaign_id, minute, run)
  WHERE kept.accepted_nanos <> coalesce(stored.accepted_nanos, 0)
    OR kept.suspicious_nanos <> coalesce(stored.suspicious_nanos, 0)
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT count(*) FROM kept) AS looked_at
