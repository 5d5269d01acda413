-- The days of the first and the last partition with events that are booked on a range of days; NULL: none.
-- $1 from_day date  $2 to_day date: half-open
SELECT min(event_day) AS first_day, max(event_day) AS last_day
FROM ledger.transaction
WHERE day >= $1::date AND day < $2::date
