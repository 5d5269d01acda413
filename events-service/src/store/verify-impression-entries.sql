-- Each settled impression is booked as its token said: who is charged, who earns, how much.
WITH booked AS (
  SELECT
    transaction_id,
    min(account_id) FILTER (WHERE account_kind = 'advertiser') AS advertiser_id,
    min(account_id) FILTER (WHERE account_kind = 'publisher') AS publisher_id,
    -sum(amount_nanos) FILTER (WHERE account_kind = 'advertiser') AS cost_nanos,
    sum(amount_nanos) FILTER (WHERE account_kind = 'publisher') AS publisher_nanos,
    sum(amount_nanos) FILTER (WHERE account_kind = 'platform') AS platform_nanos,
    count(*) AS entries
  FROM ledger.entry
  WHERE kind = 'impression'
  GROUP BY transaction_id
),
settled AS (
  SELECT event.request_id, event.advertiser_id, event.publisher_id, event.cost_nanos, event.publisher_nanos
  FROM events.event
  WHERE type = 'impression' AND verdict = 'accepted' AND NOT is_test AND settled_at IS NOT NULL
),
faults AS (
  SELECT CASE
      WHEN booked.transaction_id IS NULL THEN 'impression ' || settled.request_id || ' is settled and not booked'
      ELSE 'impression ' || settled.request_id || ' cost ' || ledger.as_amount(settled.cost_nanos) || ' ('
        || ledger.as_amount(settled.publisher_nanos) || ' for ' || settled.publisher_id || ') and is booked as '
        || coalesce(ledger.as_amount(booked.cost_nanos), 'nothing') || ' ('
        || coalesce(ledger.as_amount(booked.publisher_nanos), 'nothing') || ' for '
        || coalesce(booked.publisher_id, 'nobody') || ') in ' || booked.entries || ' entries'
    END AS fault
  FROM settled
  LEFT JOIN booked ON booked.transaction_id = settled.request_id
  WHERE booked.transaction_id IS NULL
    OR booked.entries <> 3
    OR booked.advertiser_id IS DISTINCT FROM settled.advertiser_id
    OR booked.publisher_id IS DISTINCT FROM settled.publisher_id
    OR booked.cost_nanos IS DISTINCT FROM settled.cost_nanos
    OR booked.publisher_nanos IS DISTINCT FROM settled.publisher_nanos
    OR booked.platform_nanos IS DISTINCT FROM settled.cost_nanos - settled.publisher_nanos
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT count(*) || ' settled impressions' FROM settled) AS summary
