-- Begins the next round of a callback whose placement has an address, with a row of the audit. Returns no row when there is no
-- callback, and one without a round when its placement has no address: then nothing is changed.
-- $1 request_id text  $2 at_ms float8  $3 actor text
WITH found AS (
  SELECT callback.request_id, object.fields #>> '{reward,callback_url}' IS NOT NULL AS has_address
  FROM rewards.callback
  LEFT JOIN catalog.objects AS object
    ON object.kind = 'placement' AND object.id = callback.app_id || '/' || callback.placement AND NOT object.removed
  WHERE callback.request_id = $1
),
replayed AS (
  UPDATE rewards.callback
  SET
    round = round + 1,
    round_at = to_timestamp($2::float8 / 1000),
    round_attempts = 0,
    next_at = to_timestamp($2::float8 / 1000)
  FROM found
  WHERE callback.request_id = found.request_id AND found.has_address
  RETURNING callback.*
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
FROM found
LEFT JOIN replayed USING (request_id)
WHERE round IS NOT NULL OR NOT has_address
