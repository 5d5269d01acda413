-- Adds to the hourly counts of events, in one fixed order.
-- $1 hour_ms float8[]  $2 publisher_id text[]  $3 app_id text[]  $4 placement text[]  $5 format text[]  $6 country text[]
-- $7 advertiser_id text[]  $8 campaign_id text[]  $9 creative_id text[]  $10 impressions int8[]  $11 clicks int8[]
-- $12 rewards int8[]  $13 spend_nanos numeric[]  $14 revenue_nanos numeric[]
INSERT INTO stats.event_hour AS stored (
  hour, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id, impressions, clicks,
  rewards, spend_nanos, revenue_nanos
)
SELECT
  to_timestamp(hour_ms / 1000), publisher_id, app_id, placement, format, country, advertiser_id, campaign_id,
  creative_id, impressions, clicks, rewards, spend_nanos, revenue_nanos
FROM unnest(
  $1::float8[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
  $10::int8[], $11::int8[], $12::int8[], $13::numeric[], $14::numeric[]
) AS change (
  hour_ms, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id, impressions,
  clicks, rewards, spend_nanos, revenue_nanos
)
ORDER BY
  hour_ms, publisher_id COLLATE "C", app_id COLLATE "C", placement COLLATE "C", format COLLATE "C",
  country COLLATE "C", advertiser_id COLLATE "C", campaign_id COLLATE "C", creative_id COLLATE "C"
ON CONFLICT (hour, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id) DO UPDATE
SET
  impressions = stored.impressions + excluded.impressions,
  clicks = stored.clicks + excluded.clicks,
  rewards = stored.rewards + excluded.rewards,
  spend_nanos = stored.spend_nanos + excluded.spend_nanos,
  revenue_nanos = stored.revenue_nanos + excluded.revenue_nanos
