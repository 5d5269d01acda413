-- Compares what counters hold of campaign-minutes with what is known, and keeps what they hold beyond it; in one fixed order.
-- Repeating it changes nothing: what was found is the largest difference ever seen, not a sum. Answers what was known before.
-- $1 advertiser_id text[]  $2 campaign_id text[]  $3 minute int8[]  $4 reserved_nanos numeric[]: less what suspicious
-- impressions gave back  $5 expires_at_ms float8[]
WITH known AS (
  SELECT
    asked.advertiser_id, asked.campaign_id, asked.minute, asked.expires_at_ms,
    -- As if nothing had been given back: a suspicious impression of which the counters were not told is too much then, which
    -- holds its money until the minute is closed.
    asked.reserved_nanos + judged.suspicious_nanos AS gross_nanos,
    greatest(coalesce(fills.reserved_nanos, 0) - judged.suspicious_nanos, judged.accepted_nanos) AS reported_nanos,
    greatest(coalesce(fills.reserved_nanos + fills.found_nanos, 0) - judged.suspicious_nanos, judged.accepted_nanos)
      AS known_nanos,
    asked.reserved_nanos
  FROM unnest($1::text[], $2::text[], $3::int8[], $4::numeric[], $5::float8[])
    AS asked (advertiser_id, campaign_id, minute, reserved_nanos, expires_at_ms)
  LEFT JOIN events.fills ON fills.campaign_id = asked.campaign_id AND fills.minute = asked.minute
  CROSS JOIN LATERAL (
    SELECT
      coalesce(sum(event.cost_nanos) FILTER (WHERE event.verdict = 'accepted'), 0) AS accepted_nanos,
      coalesce(sum(event.cost_nanos) FILTER (WHERE event.verdict = 'suspicious'), 0) AS suspicious_nanos
    FROM events.event
    WHERE event.day = date '1970-01-01' + (asked.minute / 1440)::int
      AND event.campaign_id = asked.campaign_id
      AND event.fill_minute = asked.minute
      AND event.type = 'impression' AND NOT event.is_test
  ) AS judged
),
stored AS (
  INSERT INTO events.fills AS stored (
    advertiser_id, campaign_id, minute, fills, reserved_nanos, found_nanos, expires_at
  )
  SELECT advertiser_id, campaign_id, minute, 0, 0, gross_nanos, to_timestamp(expires_at_ms / 1000)
  FROM known
  WHERE reserved_nanos > known_nanos
  ORDER BY campaign_id COLLATE "C", minute
  ON CONFLICT (campaign_id, minute) DO UPDATE
  SET
    found_nanos = greatest(stored.found_nanos, excluded.found_nanos - stored.reserved_nanos),
    expires_at = greatest(stored.expires_at, excluded.expires_at)
)
SELECT campaign_id, minute, reported_nanos, known_nanos FROM known
