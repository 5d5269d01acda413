-- The lines of an account's statement: each booking by hand, and the impressions per day and campaign (advertiser) or
-- app (publisher).
-- $1 account_kind text  $2 account_id text  $3 from_day date  $4 to_day date: half-open  $5 lines int4
SELECT
  entry.day, entry.kind, entry.transaction_id AS reference, counter.account_kind AS counter_kind,
  counter.account_id AS counter_id, booking.reason, NULL AS campaign_id, NULL AS app_id, 0::int8 AS impressions,
  entry.amount_nanos, booking.booked_at
FROM ledger.entry
JOIN ledger.transaction AS booking ON booking.kind = entry.kind AND booking.id = entry.transaction_id
JOIN ledger.entry AS counter
  ON counter.transaction_id = entry.transaction_id AND counter.kind = entry.kind
  AND (counter.account_kind, counter.account_id) <> (entry.account_kind, entry.account_id)
WHERE entry.kind <> 'impression' AND entry.account_kind = $1 AND entry.account_id = $2
  AND entry.day >= $3::date AND entry.day < $4::date
UNION ALL
SELECT
  (hour AT TIME ZONE 'UTC')::date, 'impression', NULL, NULL, NULL, NULL, campaign_id, NULL, sum(impressions),
  -sum(spend_nanos), NULL
FROM stats.event_hour
WHERE $1 = 'advertiser' AND advertiser_id = $2
  AND hour >= $3::date::timestamp AT TIME ZONE 'UTC' AND hour < $4::date::timestamp AT TIME ZONE 'UTC'
GROUP BY 1, campaign_id
HAVING sum(impressions) > 0
UNION ALL
SELECT
  (hour AT TIME ZONE 'UTC')::date, 'impression', NULL, NULL, NULL, NULL, NULL, app_id, sum(impressions),
  sum(revenue_nanos), NULL
FROM stats.event_hour
WHERE $1 = 'publisher' AND publisher_id = $2
  AND hour >= $3::date::timestamp AT TIME ZONE 'UTC' AND hour < $4::date::timestamp AT TIME ZONE 'UTC'
GROUP BY 1, app_id
HAVING sum(impressions) > 0
UNION ALL
SELECT day, 'impression', NULL, NULL, NULL, NULL, NULL, NULL, entries, sum_nanos, NULL
FROM ledger.account_day
WHERE $1 = 'platform' AND account_kind = $1 AND account_id = $2 AND transaction_kind = 'impression'
  AND day >= $3::date AND day < $4::date
ORDER BY 1, 2, booked_at, reference, campaign_id, app_id
LIMIT $5
