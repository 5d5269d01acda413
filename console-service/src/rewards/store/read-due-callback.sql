-- A callback whose attempt is due, with the present address of its placement.
-- $1 request_id text  $2 round int4  $3 round_attempts int4
SELECT
  callback.request_id, callback.publisher_id, callback.app_id, callback.placement, callback.item, callback.amount,
  callback.is_test, callback.rewarded_at, callback.round_at, object.fields #>> '{reward,callback_url}' AS url
FROM rewards.callback
LEFT JOIN catalog.objects AS object
  ON object.kind = 'placement' AND object.id = callback.app_id || '/' || callback.placement AND NOT object.removed
WHERE callback.request_id = $1 AND callback.round = $2 AND callback.round_attempts = $3
  AND callback.next_at IS NOT NULL
