-- Deletes notices that were made long ago.
-- $1 before_ms float8
DELETE FROM health.notice WHERE made_at < to_timestamp($1::float8 / 1000)
