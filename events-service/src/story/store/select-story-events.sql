-- The stored events of an ad. The day in its request id is that of the gateway's clock; the day of its rows is that of
-- serving-service's, so the days beside it are read too.
-- $1 request_id text  $2 day date
SELECT
  type, verdict, rule, is_test, arrived_at, settled_at, fill_minute, lease_run, publisher_id, app_id, placement, format, country,
  advertiser_id, campaign_id, creative_id, cost_nanos, publisher_nanos, completion, traceparent
FROM events.event
WHERE day BETWEEN $2::date - 1 AND $2::date + 1 AND request_id = $1 AND type <> 'fallback'
ORDER BY arrived_at, type
