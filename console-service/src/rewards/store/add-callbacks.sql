-- Stores rewards whose placement has a callback, each once, and returns the new ones. What the placement gives is copied, so
-- that later changes of the catalog do not change a reward.
-- $1 request_id text[]  $2 publisher_id text[]  $3 app_id text[]  $4 placement text[]  $5 is_test bool[]
-- $6 rewarded_ms float8[]  $7 now_ms float8
INSERT INTO rewards.callback (
  request_id, publisher_id, app_id, placement, item, amount, is_test, rewarded_at, stored_at, round_at, next_at
)
SELECT
  taken.request_id, taken.publisher_id, taken.app_id, taken.placement,
  object.fields #>> '{reward,item}', (object.fields #>> '{reward,amount}')::int4,
  taken.is_test, to_timestamp(taken.rewarded_ms / 1000), to_timestamp($7::float8 / 1000),
  to_timestamp($7::float8 / 1000), to_timestamp($7::float8 / 1000)
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bool[], $6::float8[])
  AS taken (request_id, publisher_id, app_id, placement, is_test, rewarded_ms)
JOIN catalog.objects AS object
  ON object.kind = 'placement' AND object.id = taken.app_id || '/' || taken.placement AND NOT object.removed
WHERE jsonb_typeof(object.fields -> 'reward') = 'object'
ORDER BY taken.request_id COLLATE "C"
ON CONFLICT (request_id) DO NOTHING
RETURNING request_id, round, round_attempts, next_at
