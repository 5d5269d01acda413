-- Fills by UTC day and price of an impression, without those of one campaign. The price of a campaign's fills is what its
-- impressions of that day cost; 0 when none was shown. Empty lists mean any.
-- $1 from_ms float8  $2 to_ms float8: half-open midnights  $3 formats text[]  $4 countries text[]  $5 app_ids text[]
-- $6 except_campaign_id text  $7 rows_max int4
WITH filled AS (
  SELECT (hour AT TIME ZONE 'UTC')::date AS day, campaign_id, sum(fills) AS fills
  FROM stats.fill_hour
  WHERE hour >= to_timestamp($1::float8 / 1000) AND hour < to_timestamp($2::float8 / 1000)
    AND campaign_id <> $6
    AND (cardinality($3::text[]) = 0 OR format = ANY ($3::text[]))
    AND (cardinality($4::text[]) = 0 OR country = ANY ($4::text[]))
    AND (cardinality($5::text[]) = 0 OR app_id = ANY ($5::text[]))
  GROUP BY 1, campaign_id
),
priced AS (
  SELECT
    (hour AT TIME ZONE 'UTC')::date AS day, campaign_id, sum(spend_nanos) AS spend_nanos, sum(impressions) AS impressions
  FROM stats.event_hour
  WHERE hour >= to_timestamp($1::float8 / 1000) AND hour < to_timestamp($2::float8 / 1000)
  GROUP BY 1, campaign_id
)
SELECT
  filled.day,
  coalesce(round(priced.spend_nanos / nullif(priced.impressions, 0)), 0)::int8 AS price_nanos,
  sum(filled.fills) AS fills
FROM filled
LEFT JOIN priced ON priced.day = filled.day AND priced.campaign_id = filled.campaign_id
GROUP BY 1, 2
ORDER BY 1, 2
LIMIT $7
