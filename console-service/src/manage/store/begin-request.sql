-- Notes a request and holds its name. $1 actor, $2 key, $3 hash of the request, $4 now, $5 before it answers are no longer kept
-- (epoch ms), $6 milliseconds until the hold ends, by the clock of the database. Answers the holder. No row: the name is in use.
INSERT INTO manage.requests AS stored (actor_id, key, request_hash, begun_at, holder, held_until)
VALUES (
  $1, $2, $3, to_timestamp($4 / 1000.0), gen_random_uuid(),
  clock_timestamp() + $6::double precision * interval '1 millisecond'
)
ON CONFLICT (actor_id, key) DO UPDATE
SET request_hash = excluded.request_hash, begun_at = excluded.begun_at, holder = excluded.holder,
  held_until = excluded.held_until, status = NULL, etag = NULL, body = NULL, is_secret = false
WHERE stored.begun_at < to_timestamp($5 / 1000.0)
  OR (
    stored.status IS NULL AND stored.held_until < clock_timestamp() AND stored.request_hash = excluded.request_hash
  )
RETURNING holder
