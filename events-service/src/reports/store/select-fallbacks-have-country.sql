-- Whether all fallbacks of a range were counted with their country.
-- $1 from_ms float8  $2 to_ms float8: half-open
SELECT NOT EXISTS (
  SELECT FROM stats.fallback_hour
  WHERE hour >= to_timestamp($1::float8 / 1000) AND hour < to_timestamp($2::float8 / 1000)
) AS have_country
