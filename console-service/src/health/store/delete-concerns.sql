-- Deletes concerns that have ended.
-- $1 key text[]
DELETE FROM health.concern WHERE key = ANY ($1::text[])
