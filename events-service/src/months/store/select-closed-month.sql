-- A closed month and the numbers of its statements; NULL: it has none. No row: the month is open.
-- $1 month date
SELECT
  closed_at, minimum_payout_nanos,
  (SELECT min(number) FROM ledger.statement WHERE statement.month = closed_month.month) AS first_number,
  (SELECT max(number) FROM ledger.statement WHERE statement.month = closed_month.month) AS last_number
FROM ledger.closed_month
WHERE month = $1::date
