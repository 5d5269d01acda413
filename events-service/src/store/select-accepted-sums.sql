-- Accepted sums of campaign-minutes. is_over says whether each is final: by the database's clock its last fill was over long
-- enough before the inserts were looked at, and no insert was running that had begun when one could still be stored.
-- $1 campaign_id text[]  $2 minute int8[]  $3 expires_at_ms float8[]  $4 final_after_ms float8  $5 store_after_ms float8
-- $6 looked_at_ms float8  $7 oldest_insert_at_ms float8: NULL when none was running
SELECT
  asked.campaign_id,
  asked.minute,
  to_timestamp($6::float8 / 1000) >= ended.at + make_interval(secs => $4::float8 / 1000)
    AND ($7::float8 IS NULL OR to_timestamp($7::float8 / 1000) > ended.at + make_interval(secs => $5::float8 / 1000))
    AS is_over,
  accepted.nanos AS accepted_nanos,
  accepted.impressions
FROM unnest($1::text[], $2::int8[], $3::float8[]) AS asked (campaign_id, minute, expires_at_ms)
CROSS JOIN LATERAL (
  SELECT greatest(to_timestamp(asked.expires_at_ms / 1000), max(fills.expires_at)) AS at
  FROM events.fills
  WHERE fills.campaign_id = asked.campaign_id AND fills.minute = asked.minute
) AS ended
CROSS JOIN LATERAL (
  SELECT coalesce(sum(event.cost_nanos), 0) AS nanos, count(*) AS impressions
  FROM events.event
  WHERE event.day = date '1970-01-01' + (asked.minute / 1440)::int
    AND event.campaign_id = asked.campaign_id
    AND event.fill_minute = asked.minute
    AND event.type = 'impression' AND NOT event.is_test AND event.verdict = 'accepted'
) AS accepted
