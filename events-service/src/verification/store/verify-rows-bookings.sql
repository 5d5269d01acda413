-- For one part of a range of days: each booking has exactly the entries of its kind, and they sum to zero. The entries of an
-- impression match its stored event: who is charged, who earns, and how much. When the retention has dropped the event, only
-- the entries are checked.
-- $1 from_day date  $2 to_day date: half-open  $3 part int4, from 0  $4 parts int4
-- $5 first_event_day date  $6 last_event_day date: of the events of these bookings; NULL when they have none
WITH lines AS (
  SELECT
    kind, transaction_id, count(*) AS entries, sum(amount_nanos) AS nanos, min(day) AS first_day, max(day) AS last_day,
    count(*) FILTER (WHERE account_kind = 'advertiser') AS advertisers,
    count(*) FILTER (WHERE account_kind = 'publisher') AS publishers,
    count(*) FILTER (WHERE account_kind = 'platform') AS platforms,
    count(*) FILTER (WHERE account_kind = 'payouts') AS payouts,
    min(account_id) FILTER (WHERE account_kind = 'advertiser') AS advertiser_id,
    min(account_id) FILTER (WHERE account_kind = 'publisher') AS publisher_id,
    -sum(amount_nanos) FILTER (WHERE account_kind = 'advertiser') AS cost_nanos,
    sum(amount_nanos) FILTER (WHERE account_kind = 'publisher') AS publisher_nanos
  FROM ledger.entry
  WHERE day >= $1::date AND day < $2::date AND ($4::int4 = 1 OR (hashtext(transaction_id) & 2147483647) % $4::int4 = $3::int4)
  GROUP BY kind, transaction_id
),
booking AS (
  SELECT kind, id, day, event_day
  FROM ledger.transaction
  WHERE day >= $1::date AND day < $2::date AND ($4::int4 = 1 OR (hashtext(id) & 2147483647) % $4::int4 = $3::int4)
),
joined AS (
  SELECT
    lines.*, coalesce(booking.kind, lines.kind) || ' ' || coalesce(booking.id, lines.transaction_id) AS name,
    booking.id, booking.day, booking.event_day
  FROM lines
  FULL JOIN booking ON booking.kind = lines.kind AND booking.id = lines.transaction_id
),
event AS (
  SELECT day, request_id, advertiser_id, publisher_id, cost_nanos, publisher_nanos, settled_at
  FROM events.event
  WHERE day >= $5::date AND day <= $6::date AND type = 'impression' AND verdict = 'accepted' AND NOT is_test
),
faults AS (
  SELECT CASE
      WHEN joined.transaction_id IS NULL THEN name || ' has no entries on its day'
      WHEN joined.id IS NULL THEN name || ' has entries on ' || first_day || ' and no booking on that day'
      WHEN nanos <> 0 THEN name || ': its entries sum to ' || ledger.as_amount(nanos)
      WHEN first_day <> joined.day OR last_day <> joined.day THEN name || ': its entries are on another day'
      WHEN joined.event_day IS NOT NULL AND event.request_id IS NULL AND entries = 3
        THEN name || ' is booked and was never accepted'
      WHEN event.request_id IS NOT NULL AND event.settled_at IS NULL THEN name || ' is booked and still waits'
      WHEN event.request_id IS NOT NULL
        THEN name || ' cost ' || ledger.as_amount(event.cost_nanos) || ' ('
          || ledger.as_amount(event.publisher_nanos) || ' for ' || event.publisher_id || ') and is booked as '
          || coalesce(ledger.as_amount(joined.cost_nanos), 'nothing') || ' ('
          || coalesce(ledger.as_amount(joined.publisher_nanos), 'nothing') || ' for '
          || coalesce(joined.publisher_id, 'nobody') || ') in ' || entries || ' entries'
      ELSE name || ' has the entries of another kind of booking'
    END AS fault
  FROM joined
  LEFT JOIN event ON event.day = joined.event_day AND event.request_id = joined.id
  WHERE joined.transaction_id IS NULL
    OR joined.id IS NULL
    OR nanos <> 0
    OR first_day <> joined.day
    OR last_day <> joined.day
    OR CASE joined.kind
      WHEN 'impression' THEN entries <> 3 OR advertisers <> 1 OR publishers <> 1 OR platforms <> 1
        OR (event.request_id IS NULL
          AND NOT EXISTS (SELECT FROM events.dropped_day WHERE dropped_day.day = joined.event_day))
        OR (event.request_id IS NOT NULL AND (
          event.settled_at IS NULL OR joined.advertiser_id IS DISTINCT FROM event.advertiser_id
          OR joined.publisher_id IS DISTINCT FROM event.publisher_id
          OR joined.cost_nanos <> event.cost_nanos OR joined.publisher_nanos <> event.publisher_nanos))
      WHEN 'deposit' THEN entries <> 2 OR advertisers <> 1 OR platforms + payouts <> 0
      WHEN 'payout' THEN entries <> 2 OR publishers <> 1 OR payouts <> 1
      WHEN 'refund' THEN entries <> 2 OR advertisers <> 1 OR payouts <> 1
      ELSE entries <> 2 OR advertisers + publishers <> 1 OR platforms <> 1
    END
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT count(*) FROM joined) AS looked_at
