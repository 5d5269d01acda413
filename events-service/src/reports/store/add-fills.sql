-- Adds reported fills to their campaign-minutes, in one fixed order; lines of one key are summed first. A campaign that was
-- removed and added under another advertiser within a minute has one row for that minute, with one of the two advertisers.
-- $1 advertiser_id text[]  $2 campaign_id text[]  $3 minute int8[]  $4 fills int8[]  $5 reserved_nanos numeric[]
-- $6 expires_at_ms float8[]
INSERT INTO events.fills AS stored (advertiser_id, campaign_id, minute, fills, reserved_nanos, expires_at)
SELECT
  min(advertiser_id), campaign_id, minute, sum(fills), sum(reserved_nanos), to_timestamp(max(expires_at_ms) / 1000)
FROM unnest($1::text[], $2::text[], $3::int8[], $4::int8[], $5::numeric[], $6::float8[])
  AS change (advertiser_id, campaign_id, minute, fills, reserved_nanos, expires_at_ms)
GROUP BY campaign_id, minute
ORDER BY campaign_id COLLATE "C", minute
ON CONFLICT (campaign_id, minute) DO UPDATE
SET
  fills = stored.fills + excluded.fills,
  reserved_nanos = stored.reserved_nanos + excluded.reserved_nanos,
  expires_at = greatest(stored.expires_at, excluded.expires_at)
