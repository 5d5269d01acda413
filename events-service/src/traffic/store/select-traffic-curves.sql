-- The learned days, those with most requests first.
-- $1 groups_max int8
SELECT app_category, format, requests_per_day, shares, is_proven
FROM stats.traffic_curve
ORDER BY requests_per_day DESC, app_category, format
LIMIT $1
