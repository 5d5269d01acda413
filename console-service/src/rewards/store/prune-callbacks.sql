-- Deletes callbacks that were stored long ago and wait no longer.
-- $1 before_ms float8
DELETE FROM rewards.callback WHERE stored_at < to_timestamp($1::float8 / 1000) AND next_at IS NULL
