-- Marks the money of all suspicious impressions of leases as given back to the sums. The caller holds the leases' locks.
-- $1 campaign_id text[]  $2 minute int8[]  $3 run text[]
UPDATE budget.lease
SET released_nanos = suspicious_nanos
WHERE (campaign_id, minute, run) IN (SELECT * FROM unnest($1::text[], $2::int8[], $3::text[])) AND closed_at IS NULL
