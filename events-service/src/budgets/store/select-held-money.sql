-- Held money by campaign: open fills and slices in hand. Also the part that replicas that are gone had in hand, and the
-- number of leases that should be closed by now.
-- $1 gone_before_ms float8  $2 overdue_before_ms float8
SELECT
  lease.campaign_id,
  sum(lease.granted_nanos - lease.returned_nanos - lease.released_nanos - lease.accepted_nanos) AS held_nanos,
  count(*)::int AS open_leases,
  coalesce(
    sum(
      greatest(
        0,
        lease.granted_nanos - lease.returned_nanos
          - greatest(lease.filled_nanos, lease.accepted_nanos + lease.suspicious_nanos)
      )
    ) FILTER (WHERE lease.run <> '' AND (replica.run IS NULL OR replica.seen_at < to_timestamp($1::float8 / 1000))), 0
  ) AS stranded_nanos,
  count(*) FILTER (WHERE lease.expires_at < to_timestamp($2::float8 / 1000))::int AS overdue_leases
FROM budget.lease
LEFT JOIN budget.replica USING (run)
WHERE lease.closed_at IS NULL
GROUP BY lease.campaign_id
