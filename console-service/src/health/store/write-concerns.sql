-- Stores concerns as they were found last.
-- $1 key text[]  $2 kind text[]  $3 began_ms float8[]  $4 seen_ms float8[]  $5 last_row text[]
INSERT INTO health.concern (key, kind, began_at, seen_at, last_row)
SELECT key, kind, to_timestamp(began_ms / 1000), to_timestamp(seen_ms / 1000), last_row::jsonb
FROM unnest($1::text[], $2::text[], $3::float8[], $4::float8[], $5::text[]) AS found (key, kind, began_ms, seen_ms, last_row)
ON CONFLICT (key) DO UPDATE SET seen_at = excluded.seen_at, last_row = excluded.last_row
