-- For each account and day, spend and earnings in reports equal the charges and credits in the ledger.
WITH reported AS (
  SELECT 'advertiser' AS kind, advertiser_id AS id, (hour AT TIME ZONE 'UTC')::date AS day, -sum(spend_nanos) AS nanos,
    sum(impressions) AS impressions
  FROM stats.event_hour GROUP BY 2, 3
  UNION ALL
  SELECT 'publisher', publisher_id, (hour AT TIME ZONE 'UTC')::date, sum(revenue_nanos), sum(impressions)
  FROM stats.event_hour GROUP BY 2, 3
),
booked AS (
  SELECT account_kind, account_id, day, sum_nanos, entries
  FROM ledger.account_day
  WHERE transaction_kind = 'impression' AND account_kind IN ('advertiser', 'publisher')
),
faults AS (
  SELECT coalesce(reported.kind, booked.account_kind) || ' ' || coalesce(reported.id, booked.account_id) || ' on '
    || coalesce(reported.day, booked.day) || ': reports say ' || coalesce(reported.impressions, 0) || ' impressions of '
    || ledger.as_amount(abs(coalesce(reported.nanos, 0))) || ', the ledger ' || coalesce(booked.entries, 0) || ' of '
    || ledger.as_amount(abs(coalesce(booked.sum_nanos, 0))) AS fault
  FROM reported
  FULL JOIN booked
    ON booked.account_kind = reported.kind AND booked.account_id = reported.id AND booked.day = reported.day
  WHERE coalesce(reported.nanos, 0) <> coalesce(booked.sum_nanos, 0)
    OR coalesce(reported.impressions, 0) <> coalesce(booked.entries, 0)
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  -- Read only when both are equal.
  (
    SELECT 'spend ' || ledger.as_amount(coalesce(-sum(sum_nanos) FILTER (WHERE account_kind = 'advertiser'), 0))
      || ', revenue ' || ledger.as_amount(coalesce(sum(sum_nanos) FILTER (WHERE account_kind = 'publisher'), 0))
    FROM booked
  ) AS summary
