-- For a range of days: no booking of a closed month is younger than its close.
-- $1 from_day date  $2 to_day date: half-open
WITH booking AS (
  SELECT kind, id, day, booked_at, closed_at
  FROM ledger.transaction
  JOIN ledger.closed_month ON closed_month.month = date_trunc('month', day::timestamp)::date
  WHERE day >= $1::date AND day < $2::date
),
faults AS (
  SELECT kind || ' ' || id || ' was booked on ' || day || ' after the close of the month' AS fault
  FROM booking
  WHERE booked_at > closed_at
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT count(*) FROM booking) AS looked_at
