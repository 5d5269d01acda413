-- The day sums are those of whole bookings, which sum to zero: each impression has three entries (advertiser, publisher,
-- platform), each deposit two (advertiser, deposits), each adjustment two (advertiser or publisher, platform), each payout two
-- (publisher, payouts), each refund two (advertiser, payouts).
WITH days AS (
  SELECT
    day, transaction_kind AS kind, sum(sum_nanos) AS nanos,
    coalesce(sum(entries) FILTER (WHERE account_kind = 'advertiser'), 0) AS advertiser_entries,
    coalesce(sum(entries) FILTER (WHERE account_kind = 'publisher'), 0) AS publisher_entries,
    coalesce(sum(entries) FILTER (WHERE account_kind = 'platform'), 0) AS platform_entries,
    coalesce(sum(entries) FILTER (WHERE account_kind = 'deposits'), 0) AS deposits_entries,
    coalesce(sum(entries) FILTER (WHERE account_kind = 'payouts'), 0) AS payouts_entries
  FROM ledger.account_day
  GROUP BY day, transaction_kind
),
faults AS (
  SELECT kind || ' on ' || day || ': entries of advertisers ' || advertiser_entries || ', publishers '
    || publisher_entries || ', platform ' || platform_entries || ', deposits ' || deposits_entries || ', payouts '
    || payouts_entries || ', sum ' || ledger.as_amount(nanos) AS fault
  FROM days
  WHERE nanos <> 0
    OR CASE kind
      WHEN 'impression' THEN advertiser_entries <> platform_entries OR publisher_entries <> platform_entries
        OR deposits_entries + payouts_entries <> 0
      WHEN 'deposit' THEN advertiser_entries <> deposits_entries
        OR publisher_entries + platform_entries + payouts_entries <> 0
      WHEN 'adjustment' THEN advertiser_entries + publisher_entries <> platform_entries
        OR deposits_entries + payouts_entries <> 0
      WHEN 'payout' THEN publisher_entries <> payouts_entries
        OR advertiser_entries + platform_entries + deposits_entries <> 0
      WHEN 'refund' THEN advertiser_entries <> payouts_entries
        OR publisher_entries + platform_entries + deposits_entries <> 0
      ELSE true
    END
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (
    SELECT 'days: ' || count(DISTINCT day) || ', entries: '
      || coalesce(sum(advertiser_entries + publisher_entries + platform_entries + deposits_entries + payouts_entries), 0)
    FROM days
  ) AS summary
