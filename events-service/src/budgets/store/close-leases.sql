-- Closes leases. The caller holds their locks.
-- $1 campaign_id text[]  $2 minute int8[]  $3 run text[]  $4 at_ms float8
UPDATE budget.lease
SET closed_at = to_timestamp($4::float8 / 1000)
WHERE (campaign_id, minute, run) IN (SELECT * FROM unnest($1::text[], $2::int8[], $3::text[])) AND closed_at IS NULL
