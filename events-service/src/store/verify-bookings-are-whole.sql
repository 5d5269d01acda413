-- Each booking has the entries of its kind and they sum to zero; no entry stands without its booking.
WITH lines AS (
  SELECT
    kind, transaction_id, count(*) AS entries, sum(amount_nanos) AS nanos,
    string_agg(account_kind, ' ' ORDER BY account_kind COLLATE "C") AS accounts, count(DISTINCT day) AS days,
    min(day) AS day
  FROM ledger.entry
  GROUP BY kind, transaction_id
),
faults AS (
  SELECT CASE
      WHEN lines.kind IS NULL THEN transaction.kind || ' ' || transaction.id || ' has no entries'
      WHEN transaction.kind IS NULL THEN lines.kind || ' ' || lines.transaction_id || ' has entries but no booking'
      WHEN lines.nanos <> 0
        THEN lines.kind || ' ' || lines.transaction_id || ': its entries sum to ' || ledger.as_amount(lines.nanos)
      WHEN lines.days <> 1 OR lines.day <> transaction.day
        THEN lines.kind || ' ' || lines.transaction_id || ': its entries stand on another day'
      ELSE lines.kind || ' ' || lines.transaction_id || ' has entries of ' || lines.accounts
    END AS fault
  FROM lines
  FULL JOIN ledger.transaction ON transaction.kind = lines.kind AND transaction.id = lines.transaction_id
  WHERE lines.kind IS NULL
    OR transaction.kind IS NULL
    OR lines.nanos <> 0
    OR lines.days <> 1
    OR lines.day <> transaction.day
    OR (lines.kind = 'impression' AND lines.accounts <> 'advertiser platform publisher')
    OR (lines.kind = 'deposit' AND lines.accounts <> 'advertiser deposits')
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT count(*) || ' bookings, ' || coalesce(sum(entries), 0) || ' entries' FROM lines) AS summary
