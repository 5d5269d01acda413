-- Adds to the hourly counts of rejected events, in one fixed order.
-- $1 hour_ms float8[]  $2 publisher_id text[]  $3 app_id text[]  $4 placement text[]  $5 format text[]  $6 country text[]
-- $7 advertiser_id text[]  $8 campaign_id text[]  $9 creative_id text[]  $10 reason text[]  $11 rejections int8[]
INSERT INTO stats.rejection_hour AS stored (
  hour, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id, reason, rejections
)
SELECT
  to_timestamp(hour_ms / 1000), publisher_id, app_id, placement, format, country, advertiser_id, campaign_id,
  creative_id, reason, rejections
FROM unnest(
  $1::float8[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
  $10::text[], $11::int8[]
) AS change (
  hour_ms, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id, reason,
  rejections
)
ORDER BY
  hour_ms, publisher_id COLLATE "C", app_id COLLATE "C", placement COLLATE "C", format COLLATE "C",
  country COLLATE "C", advertiser_id COLLATE "C", campaign_id COLLATE "C", creative_id COLLATE "C",
  reason COLLATE "C"
ON CONFLICT (
  hour, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id, reason
) DO UPDATE
SET rejections = stored.rejections + excluded.rejections
