-- Writes leases after an exchange. The caller holds the locks of those that exist. A lease that was granted to another
-- advertiser meanwhile stays as it is: then fewer rows are written.
-- $1 campaign_id text[]  $2 minute int8[]  $3 run text[]  $4 advertiser_id text[]  $5 granted_nanos int8[]
-- $6 returned_nanos int8[]  $7 filled_nanos int8[]  $8 is_ended bool[]  $9 expires_at_ms float8[]: of new leases
INSERT INTO budget.lease (
  campaign_id, minute, run, advertiser_id, granted_nanos, returned_nanos, filled_nanos, is_ended, expires_at
)
SELECT
  campaign_id, minute, run, advertiser_id, granted_nanos, returned_nanos, filled_nanos, is_ended,
  to_timestamp(expires_at_ms / 1000)
FROM unnest(
  $1::text[], $2::int8[], $3::text[], $4::text[], $5::int8[], $6::int8[], $7::int8[], $8::boolean[], $9::float8[]
) AS lease (
  campaign_id, minute, run, advertiser_id, granted_nanos, returned_nanos, filled_nanos, is_ended, expires_at_ms
)
ON CONFLICT (campaign_id, minute, run) DO UPDATE
SET
  granted_nanos = excluded.granted_nanos,
  returned_nanos = excluded.returned_nanos,
  filled_nanos = excluded.filled_nanos,
  is_ended = excluded.is_ended
WHERE lease.advertiser_id = excluded.advertiser_id
