-- Books rows that this transaction holds: a booking and its three lines for each impression, and the sums of reports, budgets
-- and accounts. Skips impressions that were booked before. Tables are written in one fixed order, and rows in the order of
-- their keys, so that workers do not deadlock: each part counts the rows of the part before, and so runs after it. Accounts
-- come last, because all bookings lock the platform's row until they commit. What arrived in a month that is closed by now
-- counts in ledger and reports on the first open day, in its first hour.
-- Contract: docs/contract/money.md#ledger, docs/contract/money.md#exactly-once, docs/contract/money.md#closed-months,
-- docs/contract/reports.md#rewards.
-- $1 day date[]  $2 place tid[]: ctids of the rows. The lateral subquery is not flattened, so that the rows are found by ctid
-- whatever the statistics are.
WITH open AS MATERIALIZED (
  SELECT ledger.first_open_day() AS day
),
taken AS MATERIALIZED (
  SELECT stored.*
  FROM unnest($1::date[], $2::tid[]) AS held (day, place)
  CROSS JOIN LATERAL (
    SELECT
      day, request_id, type, arrived_at,
      greatest(
        date_trunc('hour', arrived_at, 'UTC'), (SELECT open.day::timestamp AT TIME ZONE 'UTC' FROM open)
      ) AS hour,
      greatest((arrived_at AT TIME ZONE 'UTC')::date, (SELECT open.day FROM open)) AS booked_day,
      publisher_id, app_id, placement, format,
      coalesce(country, '') AS country, advertiser_id, campaign_id, creative_id, cost_nanos, publisher_nanos, completion,
      fallback_reason
    FROM events.event
    WHERE event.day = held.day AND event.ctid = held.place
    OFFSET 0
  ) AS stored
),
opened AS (
  INSERT INTO ledger.transaction (kind, id, day, event_day, occurred_at)
  SELECT 'impression', request_id, booked_day, day, arrived_at
  FROM taken
  WHERE type = 'impression'
  ORDER BY request_id COLLATE "C"
  ON CONFLICT DO NOTHING
  RETURNING id
),
fresh AS MATERIALIZED (
  SELECT * FROM taken WHERE type <> 'impression' OR request_id IN (SELECT id FROM opened)
),
line AS MATERIALIZED (
  SELECT part.account_kind, part.account_id, booked_day AS day, request_id AS transaction_id, part.amount_nanos
  FROM fresh
  CROSS JOIN LATERAL (
    VALUES
      ('advertiser', advertiser_id, -cost_nanos),
      ('publisher', publisher_id, publisher_nanos),
      ('platform', 'platform', cost_nanos - publisher_nanos)
  ) AS part (account_kind, account_id, amount_nanos)
  WHERE type = 'impression'
),
entries AS (
  INSERT INTO ledger.entry (kind, transaction_id, account_kind, account_id, day, amount_nanos)
  SELECT 'impression', transaction_id, account_kind, account_id, day, amount_nanos FROM line
  RETURNING 1
),
event_hours AS (
  INSERT INTO stats.event_hour AS stored (
    hour, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id, impressions, clicks,
    rewards, spend_nanos, revenue_nanos
  )
  SELECT
    hour, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id,
    count(*) FILTER (WHERE type = 'impression'), count(*) FILTER (WHERE type = 'click'),
    count(*) FILTER (WHERE type = 'reward'), sum(cost_nanos), sum(publisher_nanos)
  FROM fresh
  WHERE type <> 'fallback' AND completion IS NOT FALSE AND (SELECT count(*) FROM entries) >= 0
  GROUP BY hour, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id
  ORDER BY
    hour, publisher_id COLLATE "C", app_id COLLATE "C", placement COLLATE "C", format COLLATE "C",
    country COLLATE "C", advertiser_id COLLATE "C", campaign_id COLLATE "C", creative_id COLLATE "C"
  ON CONFLICT (hour, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id) DO UPDATE
  SET
    impressions = stored.impressions + excluded.impressions,
    clicks = stored.clicks + excluded.clicks,
    rewards = stored.rewards + excluded.rewards,
    spend_nanos = stored.spend_nanos + excluded.spend_nanos,
    revenue_nanos = stored.revenue_nanos + excluded.revenue_nanos
  RETURNING 1
),
fallback_hours AS (
  -- The release before stored fallbacks as rows.
  INSERT INTO stats.fallback_hour AS stored (hour, publisher_id, app_id, placement, format, reason, fallbacks)
  SELECT hour, publisher_id, app_id, placement, format, fallback_reason, count(*)
  FROM fresh
  WHERE type = 'fallback' AND (SELECT count(*) FROM event_hours) >= 0
  GROUP BY hour, publisher_id, app_id, placement, format, fallback_reason
  ORDER BY
    hour, publisher_id COLLATE "C", app_id COLLATE "C", placement COLLATE "C", format COLLATE "C",
    fallback_reason COLLATE "C"
  ON CONFLICT (hour, publisher_id, app_id, placement, format, reason) DO UPDATE
  SET fallbacks = stored.fallbacks + excluded.fallbacks
  RETURNING 1
),
campaign_days AS (
  -- The day of a budget is that of the ad request.
  INSERT INTO stats.campaign_day AS stored (advertiser_id, campaign_id, day, impressions, spend_nanos)
  SELECT advertiser_id, campaign_id, day, count(*), sum(cost_nanos)
  FROM fresh
  WHERE type = 'impression' AND (SELECT count(*) FROM fallback_hours) >= 0
  GROUP BY advertiser_id, campaign_id, day
  ORDER BY advertiser_id COLLATE "C", campaign_id COLLATE "C", day
  ON CONFLICT (advertiser_id, campaign_id, day) DO UPDATE
  SET impressions = stored.impressions + excluded.impressions, spend_nanos = stored.spend_nanos + excluded.spend_nanos
  RETURNING 1
),
account_days AS (
  INSERT INTO ledger.account_day AS stored (account_kind, account_id, day, transaction_kind, sum_nanos, entries)
  SELECT account_kind, account_id, day, 'impression', sum(amount_nanos), count(*)
  FROM line
  WHERE (SELECT count(*) FROM campaign_days) >= 0
  GROUP BY account_kind, account_id, day
  ORDER BY account_kind COLLATE "C", account_id COLLATE "C", day
  ON CONFLICT (account_kind, account_id, day, transaction_kind) DO UPDATE
  SET sum_nanos = stored.sum_nanos + excluded.sum_nanos, entries = stored.entries + excluded.entries
  RETURNING 1
),
accounts AS (
  INSERT INTO ledger.account AS stored (kind, id, balance_nanos)
  SELECT account_kind, account_id, sum(amount_nanos)
  FROM line
  WHERE (SELECT count(*) FROM account_days) >= 0
  GROUP BY account_kind, account_id
  ORDER BY account_kind COLLATE "C", account_id COLLATE "C"
  ON CONFLICT (kind, id) DO UPDATE
  SET balance_nanos = stored.balance_nanos + excluded.balance_nanos
  RETURNING 1
)
SELECT
  (SELECT count(*) FROM opened)::int4 AS opened,
  (SELECT count(*) FROM taken WHERE type = 'impression')::int4 AS impressions,
  (SELECT count(*) FROM accounts)::int4 AS accounts
