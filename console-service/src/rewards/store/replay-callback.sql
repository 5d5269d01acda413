-- Begins the next round of a callback, with a row of the audit. Returns no row when there is none.
-- $1 request_id text  $2 at_ms float8  $3 actor text
WITH replayed AS (
  UPDATE rewards.callback
  SET
    round = round + 1,
    round_at = to_timestamp($2::float8 / 1000),
    round_attempts = 0,
    next_at = to_timestamp($2::float8 / 1000)
  WHERE request_id = $1
  RETURNING *
),
audited AS (
  INSERT INTO audit.access (at, actor, action, subject, detail)
  SELECT round_at, $3, 'reward_replayed', request_id, jsonb_build_object('app', app_id, 'placement', placement)
  FROM replayed
)
SELECT
  request_id, publisher_id, app_id, placement, item, amount, is_test, rewarded_at, attempts, attempted_at, next_at,
  fault, delivered_at,
  round, round_attempts
FROM replayed
