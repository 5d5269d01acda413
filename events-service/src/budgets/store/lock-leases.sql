-- Locks leases, in one fixed order.
-- $1 campaign_id text[]  $2 minute int8[]  $3 run text[]
SELECT
  campaign_id, minute, run, advertiser_id, granted_nanos, returned_nanos, filled_nanos, accepted_nanos, suspicious_nanos,
  late_nanos, released_nanos, is_ended, closed_at IS NOT NULL AS is_closed
FROM budget.lease
WHERE (campaign_id, minute, run) IN (SELECT * FROM unnest($1::text[], $2::int8[], $3::text[]))
ORDER BY campaign_id COLLATE "C", minute, run COLLATE "C"
FOR NO KEY UPDATE
