-- The statements of a month in the order of their numbers. What is open is what is due less the payouts after the close, which
-- are those after the end of the month without those before the close.
-- $1 month date  $2 after_number int8  $3 rows_max int4
-- $4 least_due_nanos int8: only publishers to whom that much is due and something is open; NULL: all accounts
WITH shown AS (
  SELECT
    *,
    CASE
      WHEN due_nanos IS NOT NULL THEN greatest(
        due_nanos + paid_early_nanos + (
          SELECT coalesce(sum(paid.sum_nanos), 0)
          FROM ledger.account_day AS paid
          WHERE paid.account_kind = statement.account_kind AND paid.account_id = statement.account_id
            AND paid.day >= (statement.month + interval '1 month')::date AND paid.transaction_kind = 'payout'
        ),
        0
      )
    END AS open_nanos
  FROM ledger.statement
  WHERE month = $1::date AND number > $2::int8 AND ($4::int8 IS NULL OR due_nanos >= $4::int8)
)
SELECT
  number, account_kind, account_id, opening_nanos, impressions_nanos, deposits_nanos, adjustments_nanos, payouts_nanos,
  refunds_nanos, closing_nanos, due_nanos, open_nanos
FROM shown
WHERE $4::int8 IS NULL OR open_nanos > 0
ORDER BY number
LIMIT $3
