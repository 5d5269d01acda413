-- Adds to the hourly counts of fills, in one fixed order; lines of one key are summed first.
-- $1 hour_ms float8[]  $2 publisher_id text[]  $3 app_id text[]  $4 placement text[]  $5 format text[]  $6 country text[]
-- $7 advertiser_id text[]  $8 campaign_id text[]  $9 creative_id text[]  $10 fills int8[]
INSERT INTO stats.fill_hour AS stored (
  hour, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id, fills
)
SELECT
  to_timestamp(hour_ms / 1000), publisher_id, app_id, placement, format, country, advertiser_id, campaign_id,
  creative_id, sum(fills)
FROM unnest(
  $1::float8[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
  $10::int8[]
) AS change (
  hour_ms, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id, fills
)
GROUP BY hour_ms, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id
ORDER BY
  hour_ms, publisher_id COLLATE "C", app_id COLLATE "C", placement COLLATE "C", format COLLATE "C",
  country COLLATE "C", advertiser_id COLLATE "C", campaign_id COLLATE "C", creative_id COLLATE "C"
ON CONFLICT (hour, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id) DO UPDATE
SET fills = stored.fills + excluded.fills
