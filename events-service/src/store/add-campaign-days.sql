-- Adds to the settled spend of campaigns by the day of the ad request, in one fixed order.
-- $1 advertiser_id text[]  $2 campaign_id text[]  $3 day date[]  $4 impressions int8[]  $5 spend_nanos numeric[]
INSERT INTO stats.campaign_day AS stored (advertiser_id, campaign_id, day, impressions, spend_nanos)
SELECT advertiser_id, campaign_id, day, impressions, spend_nanos
FROM unnest($1::text[], $2::text[], $3::date[], $4::int8[], $5::numeric[])
  AS change (advertiser_id, campaign_id, day, impressions, spend_nanos)
ORDER BY advertiser_id COLLATE "C", campaign_id COLLATE "C", day
ON CONFLICT (advertiser_id, campaign_id, day) DO UPDATE
SET impressions = stored.impressions + excluded.impressions, spend_nanos = stored.spend_nanos + excluded.spend_nanos
