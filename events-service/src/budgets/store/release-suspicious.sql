-- Notes of leases that are locked by the caller that the sums have all suspicious impressions back.
-- $1 campaign_id text[]  $2 minute int8[]  $3 run text[]
UPDATE budget.lease
SET released_nanos = suspicious_nanos
WHERE (campaign_id, minute, run) IN (SELECT * FROM unnest($1::text[], $2::int8[], $3::text[])) AND closed_at IS NULL
