-- Live fills and accepted impressions since the start of an hour: one row for each app with most fills, and one row `other`
-- for the rest.
-- $1 from_ms float8  $2 apps_max int4: rows of single apps
WITH counted AS (
  SELECT app_id, fills, 0 AS impressions FROM stats.fill_hour WHERE hour >= to_timestamp($1::float8 / 1000)
  UNION ALL
  SELECT app_id, 0, impressions FROM stats.event_hour WHERE hour >= to_timestamp($1::float8 / 1000)
),
ranked AS (
  SELECT
    app_id, sum(fills) AS fills, sum(impressions) AS impressions,
    row_number() OVER (ORDER BY sum(fills) DESC, app_id COLLATE "C") AS rank
  FROM counted
  GROUP BY app_id
)
SELECT app, sum(fills) AS fills, sum(impressions) AS impressions
FROM (SELECT CASE WHEN rank <= $2::int4 THEN app_id ELSE 'other' END AS app, fills, impressions, rank FROM ranked) AS named
GROUP BY app
ORDER BY min(rank)
