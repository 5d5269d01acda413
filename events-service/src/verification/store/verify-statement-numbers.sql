-- Statements are numbered from 1 without a gap, in the order of the months, and months are closed without a gap.
WITH numbered AS (
  SELECT
    number, month, lag(number, 1, 0::int8) OVER (ORDER BY number) AS number_before,
    lag(month) OVER (ORDER BY number) AS month_before
  FROM ledger.statement
),
closed AS (SELECT month, lag(month) OVER (ORDER BY month) AS month_before FROM ledger.closed_month),
faults AS (
  SELECT 'statement ' || number || ' follows statement ' || number_before AS fault
  FROM numbered
  WHERE number <> number_before + 1 OR month < month_before
  UNION ALL
  SELECT to_char(closed.month, 'YYYY-MM') || ' is closed and the month before it is not'
  FROM closed
  WHERE month_before + interval '1 month' <> closed.month
  UNION ALL
  SELECT DISTINCT to_char(statement.month, 'YYYY-MM') || ' has statements and is not closed'
  FROM ledger.statement
  WHERE NOT EXISTS (SELECT FROM ledger.closed_month WHERE closed_month.month = statement.month)
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT 'last number: ' || coalesce(max(number), 0) FROM numbered) AS summary
