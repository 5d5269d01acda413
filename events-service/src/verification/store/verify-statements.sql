-- The statements of closed months equal the day sums: each account with entries before the end of a closed month has one.
WITH monthly AS MATERIALIZED (
  SELECT
    account_kind, account_id, date_trunc('month', day::timestamp)::date AS month, sum(sum_nanos) AS nanos,
    coalesce(sum(sum_nanos) FILTER (WHERE transaction_kind = 'impression'), 0) AS impressions_nanos,
    coalesce(sum(sum_nanos) FILTER (WHERE transaction_kind = 'deposit'), 0) AS deposits_nanos,
    coalesce(sum(sum_nanos) FILTER (WHERE transaction_kind = 'adjustment'), 0) AS adjustments_nanos,
    coalesce(sum(sum_nanos) FILTER (WHERE transaction_kind = 'payout'), 0) AS payouts_nanos,
    coalesce(sum(sum_nanos) FILTER (WHERE transaction_kind = 'refund'), 0) AS refunds_nanos
  FROM ledger.account_day
  WHERE day < ledger.first_open_day()
  GROUP BY account_kind, account_id, date_trunc('month', day::timestamp)
),
booked AS (
  SELECT
    closed.month, account_kind, account_id,
    ARRAY[
      coalesce(sum(nanos) FILTER (WHERE monthly.month < closed.month), 0),
      coalesce(sum(impressions_nanos) FILTER (WHERE monthly.month = closed.month), 0),
      coalesce(sum(deposits_nanos) FILTER (WHERE monthly.month = closed.month), 0),
      coalesce(sum(adjustments_nanos) FILTER (WHERE monthly.month = closed.month), 0),
      coalesce(sum(payouts_nanos) FILTER (WHERE monthly.month = closed.month), 0),
      coalesce(sum(refunds_nanos) FILTER (WHERE monthly.month = closed.month), 0),
      sum(nanos)
    ] AS figures
  FROM ledger.closed_month AS closed
  JOIN monthly ON monthly.month <= closed.month
  GROUP BY closed.month, account_kind, account_id
),
stated AS (
  SELECT
    number, month, account_kind, account_id,
    ARRAY[
      opening_nanos, impressions_nanos, deposits_nanos, adjustments_nanos, payouts_nanos, refunds_nanos, closing_nanos
    ] AS figures
  FROM ledger.statement
),
faults AS (
  SELECT CASE
      WHEN number IS NULL
        THEN account_kind || ' ' || account_id || ' has no statement of ' || to_char(month, 'YYYY-MM')
      ELSE 'statement ' || number || ' (' || account_kind || ' ' || account_id || ', ' || to_char(month, 'YYYY-MM')
        || ') ends with ' || ledger.as_amount(stated.figures[7]) || ', the ledger has '
        || ledger.as_amount(coalesce(booked.figures[7], 0))
    END AS fault
  FROM booked
  FULL JOIN stated USING (month, account_kind, account_id)
  WHERE booked.figures IS DISTINCT FROM stated.figures
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT 'statements: ' || count(*) || ', months: ' || count(DISTINCT month) FROM stated) AS summary
