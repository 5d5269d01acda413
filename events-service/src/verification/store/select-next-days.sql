-- The next two days of a check from the rows, with the number of bookings that the day sums give for each, and how many
-- days are left in all.
-- $1 from_day date: NULL: from the first
WITH days AS (
  SELECT day, sum(entries) FILTER (WHERE account_kind IN ('platform', 'deposits', 'payouts')) AS bookings
  FROM ledger.account_day
  GROUP BY day
  UNION ALL
  SELECT DISTINCT day, 0 FROM events.accepted_day
)
SELECT day, coalesce(sum(bookings), 0) AS bookings, count(*) OVER () AS days_left
FROM days
WHERE $1::date IS NULL OR day >= $1::date
GROUP BY day
ORDER BY day
LIMIT 2
