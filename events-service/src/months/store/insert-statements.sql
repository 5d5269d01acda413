-- Writes the statements of a month: one for each account with entries before its end, numbered on from the last one. What is
-- due to a publisher is its closing balance less the payouts since then, and at most its balance now.
-- $1 from_day date  $2 to_day date: half-open
WITH sums AS (
  SELECT
    account_kind, account_id,
    sum(sum_nanos) FILTER (WHERE day < $1::date) AS opening_nanos,
    sum(sum_nanos) FILTER (WHERE day >= $1::date AND transaction_kind = 'impression') AS impressions_nanos,
    sum(sum_nanos) FILTER (WHERE day >= $1::date AND transaction_kind = 'deposit') AS deposits_nanos,
    sum(sum_nanos) FILTER (WHERE day >= $1::date AND transaction_kind = 'adjustment') AS adjustments_nanos,
    sum(sum_nanos) FILTER (WHERE day >= $1::date AND transaction_kind = 'payout') AS payouts_nanos,
    sum(sum_nanos) FILTER (WHERE day >= $1::date AND transaction_kind = 'refund') AS refunds_nanos,
    sum(sum_nanos) AS closing_nanos
  FROM ledger.account_day
  WHERE day < $2::date
  GROUP BY account_kind, account_id
)
INSERT INTO ledger.statement (
  number, month, account_kind, account_id, opening_nanos, impressions_nanos, deposits_nanos, adjustments_nanos,
  payouts_nanos, refunds_nanos, closing_nanos, due_nanos, paid_early_nanos
)
SELECT
  (SELECT coalesce(max(number), 0) FROM ledger.statement) + row_number() OVER (
    ORDER BY
      array_position(ARRAY['advertiser', 'publisher', 'platform', 'deposits', 'payouts'], account_kind),
      account_id COLLATE "C"
  ),
  $1::date, account_kind, account_id, coalesce(opening_nanos, 0), coalesce(impressions_nanos, 0),
  coalesce(deposits_nanos, 0), coalesce(adjustments_nanos, 0), coalesce(payouts_nanos, 0), coalesce(refunds_nanos, 0),
  closing_nanos,
  CASE account_kind
    WHEN 'publisher' THEN greatest(least(closing_nanos - early.paid_nanos, account.balance_nanos), 0)
  END,
  CASE account_kind WHEN 'publisher' THEN early.paid_nanos END
FROM sums
LEFT JOIN ledger.account ON account.kind = account_kind AND account.id = account_id
CROSS JOIN LATERAL (
  SELECT coalesce(-sum(paid.sum_nanos), 0) AS paid_nanos
  FROM ledger.account_day AS paid
  WHERE paid.account_kind = sums.account_kind AND paid.account_id = sums.account_id AND paid.day >= $2::date
    AND paid.transaction_kind = 'payout'
) AS early
