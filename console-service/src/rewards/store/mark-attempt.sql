-- Stores the result of an attempt. Does nothing when it was stored before, or when a replay has begun another round.
-- $1 request_id text  $2 round int4  $3 round_attempts int4  $4 at_ms float8
-- $5 fault text: null when it was accepted  $6 next_ms float8: null when the round is over
UPDATE rewards.callback
SET
  attempts = attempts + 1,
  round_attempts = round_attempts + 1,
  attempted_at = to_timestamp($4::float8 / 1000),
  fault = $5,
  next_at = to_timestamp($6::float8 / 1000),
  delivered_at = CASE WHEN $5::text IS NULL THEN to_timestamp($4::float8 / 1000) ELSE delivered_at END
WHERE request_id = $1 AND round = $2 AND round_attempts = $3 AND next_at IS NOT NULL
