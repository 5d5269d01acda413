-- Closes a month. The clock is read under the lock, so bookings of before have an earlier instant.
-- $1 month date  $2 minimum_payout_nanos int8
INSERT INTO ledger.closed_month (month, closed_at, minimum_payout_nanos)
VALUES ($1, clock_timestamp(), $2)
