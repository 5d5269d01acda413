-- Whether a partition may be dropped: no row waits, and stored, accepted and booked impressions agree.
-- $1 day date
WITH stored AS (
  SELECT count(*) AS impressions, coalesce(sum(cost_nanos), 0) AS nanos
  FROM events.event
  WHERE day = $1::date AND type = 'impression' AND verdict = 'accepted' AND NOT is_test
),
accepted AS (
  SELECT coalesce(sum(impressions), 0) AS impressions, coalesce(sum(cost_nanos), 0) AS nanos
  FROM events.accepted_day
  WHERE day = $1::date
),
booked AS (
  SELECT coalesce(sum(impressions), 0) AS impressions, coalesce(sum(spend_nanos), 0) AS nanos
  FROM stats.campaign_day
  WHERE day = $1::date
)
SELECT CASE
    WHEN EXISTS (SELECT FROM events.event WHERE day = $1::date AND settled_at IS NULL) THEN 'waits'
    WHEN stored.impressions = accepted.impressions AND stored.nanos = accepted.nanos
      AND stored.impressions = booked.impressions AND stored.nanos = booked.nanos THEN 'settled'
    ELSE 'differs'
  END AS state
FROM stored, accepted, booked
