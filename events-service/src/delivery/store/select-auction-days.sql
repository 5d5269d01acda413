-- The requests without a winner and the accepted impressions of each UTC day. Fills of one campaign count as requests without
-- a winner, and its impressions do not count. Empty lists mean any.
-- $1 from_ms float8  $2 to_ms float8: half-open midnights  $3 formats text[]  $4 countries text[]  $5 app_ids text[]
-- $6 except_campaign_id text
SELECT day, sum(unsold) AS unsold, sum(impressions) AS impressions
FROM (
  SELECT (hour AT TIME ZONE 'UTC')::date AS day, requests AS unsold, 0 AS impressions
  FROM stats.request_hour
  WHERE hour >= to_timestamp($1::float8 / 1000) AND hour < to_timestamp($2::float8 / 1000)
    AND no_fill_reason = 'no_eligible_campaign'
    AND (cardinality($3::text[]) = 0 OR format = ANY ($3::text[]))
    AND (cardinality($4::text[]) = 0 OR country = ANY ($4::text[]))
    AND (cardinality($5::text[]) = 0 OR app_id = ANY ($5::text[]))
  UNION ALL
  SELECT (hour AT TIME ZONE 'UTC')::date, fills, 0
  FROM stats.fill_hour
  WHERE hour >= to_timestamp($1::float8 / 1000) AND hour < to_timestamp($2::float8 / 1000)
    AND campaign_id = $6
    AND (cardinality($3::text[]) = 0 OR format = ANY ($3::text[]))
    AND (cardinality($4::text[]) = 0 OR country = ANY ($4::text[]))
    AND (cardinality($5::text[]) = 0 OR app_id = ANY ($5::text[]))
  UNION ALL
  SELECT (hour AT TIME ZONE 'UTC')::date, 0, impressions
  FROM stats.event_hour
  WHERE hour >= to_timestamp($1::float8 / 1000) AND hour < to_timestamp($2::float8 / 1000)
    AND campaign_id <> $6
    AND (cardinality($3::text[]) = 0 OR format = ANY ($3::text[]))
    AND (cardinality($4::text[]) = 0 OR country = ANY ($4::text[]))
    AND (cardinality($5::text[]) = 0 OR app_id = ANY ($5::text[]))
) AS counted
GROUP BY day
ORDER BY day
