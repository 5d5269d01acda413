-- Stores a group of judged events; a row that exists already is left as it is. Answers which rows were stored.
-- The rows are taken in the order of the primary key, so that two groups with the same events never wait for each other.
-- $1 day date[]  $2 request_id text[]  $3 type text[]  $4 verdict text[]  $5 rule text[]  $6 is_test bool[]
-- $7 arrived_at_ms float8[]  $8 fill_minute int8[]  $9 session_id text[]  $10 publisher_id text[]  $11 app_id text[]
-- $12 placement text[]  $13 format text[]  $14 country text[]  $15 advertiser_id text[]  $16 campaign_id text[]
-- $17 creative_id text[]  $18 cost_nanos int8[]  $19 publisher_nanos int8[]  $20 completion bool[]
-- $21 fallback_reason text[]  $22 store_before_ms float8[]: from this instant of the database's clock on, the row is refused
-- $23 traceparent text[]: of the request, NULL when it is not traced
INSERT INTO events.event (
  day, request_id, type, verdict, rule, is_test, arrived_at, fill_minute, session_id, publisher_id, app_id, placement,
  format, country, advertiser_id, campaign_id, creative_id, cost_nanos, publisher_nanos, completion, fallback_reason,
  settled_at, traceparent
)
SELECT
  day, request_id, type, verdict, rule, is_test, to_timestamp(arrived_at_ms / 1000), fill_minute, session_id,
  publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id, cost_nanos,
  publisher_nanos, completion, fallback_reason,
  CASE WHEN verdict = 'suspicious' OR is_test THEN now() END,
  traceparent
FROM unnest(
  $1::date[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::float8[], $8::int8[], $9::text[],
  $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::int8[],
  $19::int8[], $20::boolean[], $21::text[], $22::float8[], $23::text[]
) AS reported (
  day, request_id, type, verdict, rule, is_test, arrived_at_ms, fill_minute, session_id, publisher_id, app_id,
  placement, format, country, advertiser_id, campaign_id, creative_id, cost_nanos, publisher_nanos, completion,
  fallback_reason, store_before_ms, traceparent
)
WHERE store_before_ms IS NULL OR clock_timestamp() < to_timestamp(store_before_ms / 1000)
ORDER BY day, request_id COLLATE "C", type COLLATE "C"
ON CONFLICT DO NOTHING
RETURNING request_id, type
