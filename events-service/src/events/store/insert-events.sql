-- Stores a group of judged events and returns the rows that were stored. Skips rows that exist, and paid impressions whose
-- lease is closed, missing or another advertiser's (the id of a campaign may have gone to another advertiser). The leases are
-- locked first and the rows follow, both in the order of their keys, so that two groups never wait for each other. A trigger
-- adds the price of an impression to its lease.
-- $1 day date[]  $2 request_id text[]  $3 type text[]  $4 verdict text[]  $5 rule text[]  $6 is_test bool[]
-- $7 arrived_at_ms float8[]  $8 fill_minute int8[]  $9 session_id text[]  $10 publisher_id text[]  $11 app_id text[]
-- $12 placement text[]  $13 format text[]  $14 country text[]  $15 advertiser_id text[]  $16 campaign_id text[]
-- $17 creative_id text[]  $18 cost_nanos int8[]  $19 publisher_nanos int8[]  $20 completion bool[]
-- $21 fallback_reason text[]  $22 lease_run text[]
-- $23 traceparent text[]: of the request, NULL when it is not traced
WITH reported AS (
  SELECT *
  FROM unnest(
    $1::date[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::float8[], $8::int8[], $9::text[],
    $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::int8[],
    $19::int8[], $20::boolean[], $21::text[], $22::text[], $23::text[]
  ) AS reported (
    day, request_id, type, verdict, rule, is_test, arrived_at_ms, fill_minute, session_id, publisher_id, app_id,
    placement, format, country, advertiser_id, campaign_id, creative_id, cost_nanos, publisher_nanos, completion,
    fallback_reason, lease_run, traceparent
  )
),
lease AS MATERIALIZED (
  SELECT campaign_id, minute, run, advertiser_id
  FROM budget.lease
  WHERE closed_at IS NULL
    AND (campaign_id, minute, run) IN (
      SELECT campaign_id, fill_minute, lease_run FROM reported WHERE type = 'impression' AND NOT is_test
    )
  ORDER BY campaign_id COLLATE "C", minute, run COLLATE "C"
  FOR NO KEY UPDATE
)
INSERT INTO events.event (
  day, request_id, type, verdict, rule, is_test, arrived_at, fill_minute, session_id, publisher_id, app_id, placement,
  format, country, advertiser_id, campaign_id, creative_id, cost_nanos, publisher_nanos, completion, fallback_reason,
  settled_at, lease_run, traceparent
)
SELECT
  day, request_id, type, verdict, rule, is_test, to_timestamp(arrived_at_ms / 1000), fill_minute, session_id,
  publisher_id, app_id, placement, format, country, reported.advertiser_id, reported.campaign_id, creative_id,
  cost_nanos, publisher_nanos, completion, fallback_reason,
  CASE WHEN verdict = 'suspicious' OR is_test THEN now() END,
  lease_run, traceparent
FROM reported
LEFT JOIN lease
  ON lease.campaign_id = reported.campaign_id AND lease.minute = reported.fill_minute AND lease.run = reported.lease_run
  AND lease.advertiser_id = reported.advertiser_id
WHERE type <> 'impression' OR is_test OR lease.run IS NOT NULL
ORDER BY day, request_id COLLATE "C", type COLLATE "C"
ON CONFLICT DO NOTHING
RETURNING request_id, type
