-- Deletes the records of days that are too old to be learned again.
-- $1 before_ms float8
DELETE FROM stats.traffic_learned WHERE day < (to_timestamp($1::float8 / 1000) AT TIME ZONE 'UTC')::date
