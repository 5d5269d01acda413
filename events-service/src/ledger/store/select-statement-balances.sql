-- The balances of an account at the start of a range of days and at its end.
-- $1 account_kind text  $2 account_id text  $3 from_day date  $4 to_day date
SELECT
  coalesce(sum(sum_nanos) FILTER (WHERE day < $3::date), 0) AS opening_nanos,
  coalesce(sum(sum_nanos), 0) AS closing_nanos
FROM ledger.account_day
WHERE account_kind = $1 AND account_id = $2 AND day < $4::date
