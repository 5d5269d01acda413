-- Accepted sums of campaign-minutes. is_over says whether each is final by the database's clock at the statement's start,
-- which is before its snapshot: what the sums leave out can no longer be added.
-- $1 campaign_id text[]  $2 minute int8[]  $3 expires_at_ms float8[]  $4 final_after_ms float8
SELECT
  asked.campaign_id,
  asked.minute,
  statement_timestamp() >= greatest(to_timestamp(asked.expires_at_ms / 1000), reported.expires_at)
    + make_interval(secs => $4::float8 / 1000) AS is_over,
  accepted.nanos AS accepted_nanos,
  accepted.impressions
FROM unnest($1::text[], $2::int8[], $3::float8[]) AS asked (campaign_id, minute, expires_at_ms)
CROSS JOIN LATERAL (
  SELECT max(fills.expires_at) AS expires_at
  FROM events.fills
  WHERE fills.campaign_id = asked.campaign_id AND fills.minute = asked.minute
) AS reported
CROSS JOIN LATERAL (
  SELECT coalesce(sum(event.cost_nanos), 0) AS nanos, count(*) AS impressions
  FROM events.event
  WHERE event.day = date '1970-01-01' + (asked.minute / 1440)::int
    AND event.campaign_id = asked.campaign_id
    AND event.fill_minute = asked.minute
    AND event.type = 'impression' AND NOT event.is_test AND event.verdict = 'accepted'
) AS accepted
