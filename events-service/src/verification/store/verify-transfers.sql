-- For each account, the payouts or refunds that console-service has booked equal those in the ledger.
-- $1 account_kind text[]  $2 account_id text[]  $3 nanos numeric[]
WITH given AS (
  SELECT account_kind, account_id, sum(nanos) AS nanos
  FROM unnest($1::text[], $2::text[], $3::numeric[]) AS given (account_kind, account_id, nanos)
  GROUP BY account_kind, account_id
),
booked AS (
  SELECT account_kind, account_id, -sum(sum_nanos) AS nanos
  FROM ledger.account_day
  WHERE account_kind IN ('advertiser', 'publisher') AND transaction_kind IN ('payout', 'refund')
  GROUP BY account_kind, account_id
),
faults AS (
  SELECT account_kind || ' ' || account_id || ': console-service has booked '
    || ledger.as_amount(coalesce(given.nanos, 0)) || ', the ledger has ' || ledger.as_amount(coalesce(booked.nanos, 0))
    AS fault
  FROM given
  FULL JOIN booked USING (account_kind, account_id)
  WHERE coalesce(given.nanos, 0) <> coalesce(booked.nanos, 0)
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (SELECT 'accounts: ' || count(*) || '; sum ' || ledger.as_amount(coalesce(sum(nanos), 0)) FROM given) AS summary
