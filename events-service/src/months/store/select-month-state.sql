-- The first open day and the day of the first booking, as days since 1970 (NULL: none), and the number of events that arrived
-- before a day and wait for settlement, counted up to a bound.
-- $1 to_day date  $2 rows_max int4
SELECT
  ledger.first_open_day() - date '1970-01-01' AS first_open_day,
  (SELECT min(day) FROM ledger.account_day) - date '1970-01-01' AS first_booked_day,
  (
    SELECT count(*)
    FROM (
      SELECT FROM events.event
      WHERE settled_at IS NULL AND arrived_at < $1::date::timestamp AT TIME ZONE 'UTC'
      LIMIT $2
    ) AS late
  ) AS waiting
