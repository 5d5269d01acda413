-- For a range of days: each day sum of an account equals the sum of its entries of that day.
-- $1 from_day date  $2 to_day date: half-open
WITH booked AS (
  SELECT account_kind, account_id, day, kind, sum(amount_nanos) AS nanos, count(*) AS entries
  FROM ledger.entry
  WHERE day >= $1::date AND day < $2::date
  GROUP BY account_kind, account_id, day, kind
),
stored AS (SELECT * FROM ledger.account_day WHERE day >= $1::date AND day < $2::date),
faults AS (
  SELECT coalesce(stored.account_kind, booked.account_kind) || ' ' || coalesce(stored.account_id, booked.account_id)
    || ' on ' || coalesce(stored.day, booked.day) || ' (' || coalesce(stored.transaction_kind, booked.kind) || '): '
    || coalesce(stored.entries, 0) || ' entries of ' || ledger.as_amount(coalesce(stored.sum_nanos, 0))
    || ' in the day sum, in the rows ' || coalesce(booked.entries, 0) || ' of ' || ledger.as_amount(coalesce(booked.nanos, 0))
    AS fault
  FROM stored
  FULL JOIN booked
    ON booked.account_kind = stored.account_kind AND booked.account_id = stored.account_id AND booked.day = stored.day
    AND booked.kind = stored.transaction_kind
  WHERE stored.sum_nanos IS DISTINCT FROM booked.nanos OR stored.entries IS DISTINCT FROM booked.entries
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT coalesce(sum(entries), 0) FROM booked) AS looked_at
