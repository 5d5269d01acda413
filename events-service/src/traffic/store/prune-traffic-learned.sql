-- Forgets the days for which nobody learns any more.
-- $1 before_ms float8
DELETE FROM stats.traffic_learned WHERE day < (to_timestamp($1::float8 / 1000) AT TIME ZONE 'UTC')::date
