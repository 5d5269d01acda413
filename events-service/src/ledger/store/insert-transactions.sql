-- Inserts bookings by hand, and returns the ids of new ones. A booking that exists stays as it is.
-- $1 kind text  $2 id text[]  $3 day date[]  $4 occurred_at_ms float8[]  $5 reason text[]
INSERT INTO ledger.transaction (kind, id, day, occurred_at, reason)
SELECT $1::text, id, day, to_timestamp(occurred_at_ms / 1000), reason
FROM unnest($2::text[], $3::date[], $4::float8[], $5::text[]) AS booking (id, day, occurred_at_ms, reason)
ORDER BY id COLLATE "C"
ON CONFLICT DO NOTHING
RETURNING id
