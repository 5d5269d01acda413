-- The owners of leases, and the returned money. An owner never changes, and returns never fall.
-- $1 campaign_id text[]  $2 minute int8[]  $3 run text[]
SELECT lease.advertiser_id, lease.campaign_id, lease.minute, lease.returned_nanos
FROM unnest($1::text[], $2::int8[], $3::text[]) AS asked (campaign_id, minute, run)
JOIN budget.lease USING (campaign_id, minute, run)
