-- For each partition's day, accepted impressions equal settled plus waiting ones. Accepted ones are counted in the transaction
-- that stores the events, settled ones in the transaction that books them; only waiting ones are looked up. Also: every missing
-- partition was dropped by the retention.
WITH accepted AS (
  SELECT day, sum(impressions) AS impressions, sum(cost_nanos) AS nanos FROM events.accepted_day GROUP BY day
),
settled AS (
  SELECT day, sum(impressions) AS impressions, sum(spend_nanos) AS nanos FROM stats.campaign_day GROUP BY day
),
waiting AS (
  SELECT day, count(*) AS impressions, sum(cost_nanos) AS nanos
  FROM events.event
  WHERE settled_at IS NULL AND type = 'impression'
  GROUP BY day
),
days AS (
  SELECT
    day,
    coalesce(accepted.impressions, 0) AS accepted, coalesce(accepted.nanos, 0) AS accepted_nanos,
    coalesce(settled.impressions, 0) AS settled, coalesce(settled.nanos, 0) AS settled_nanos,
    coalesce(waiting.impressions, 0) AS waiting, coalesce(waiting.nanos, 0) AS waiting_nanos
  FROM accepted
  FULL JOIN settled USING (day)
  FULL JOIN waiting USING (day)
),
faults AS (
  SELECT day || ': ' || accepted || ' impressions (' || ledger.as_amount(accepted_nanos)
    || ') were accepted, ' || settled || ' (' || ledger.as_amount(settled_nanos) || ') are settled and ' || waiting
    || ' (' || ledger.as_amount(waiting_nanos) || ') wait' AS fault
  FROM days
  WHERE accepted <> settled + waiting OR accepted_nanos <> settled_nanos + waiting_nanos
  UNION ALL
  SELECT 'the events of ' || day || ' are gone and were not dropped by the retention'
  FROM accepted
  WHERE NOT EXISTS (SELECT FROM events.dropped_day WHERE dropped_day.day = accepted.day)
    AND NOT EXISTS (
      SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = pg_inherits.inhrelid
      WHERE pg_inherits.inhparent = 'events.event'::regclass
        AND pg_class.relname = 'event_' || to_char(accepted.day, 'YYYYMMDD')
    )
)
SELECT
  (SELECT count(*) FROM faults) AS fault_count,
  (SELECT array_agg(fault) FROM (SELECT fault FROM faults ORDER BY fault LIMIT 3) AS shown) AS faults,
  (
    SELECT coalesce(sum(accepted), 0) || ' (' || ledger.as_amount(coalesce(sum(accepted_nanos), 0)) || ') = '
      || coalesce(sum(settled), 0) || ' (' || ledger.as_amount(coalesce(sum(settled_nanos), 0)) || ') + '
      || coalesce(sum(waiting), 0) || ' (' || ledger.as_amount(coalesce(sum(waiting_nanos), 0)) || ')'
    FROM days
  ) AS summary
