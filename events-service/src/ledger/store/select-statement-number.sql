-- The number of an account's statement, when the days are a closed month.
-- $1 account_kind text  $2 account_id text  $3 from_day date  $4 to_day date: half-open
SELECT number
FROM ledger.statement
WHERE month = $3::date AND $4::date = ($3::date + interval '1 month')::date AND account_kind = $1 AND account_id = $2
