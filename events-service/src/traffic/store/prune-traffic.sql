-- Deletes counts that are too old to learn from.
-- $1 before_ms float8
DELETE FROM stats.traffic_half_hour WHERE half_hour < to_timestamp($1::float8 / 1000)
