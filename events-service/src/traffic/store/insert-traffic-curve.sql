-- Stores the learned day of one group.
-- $1 app_category text  $2 format text  $3 requests_per_day float8  $4 shares float8[]  $5 is_proven boolean
INSERT INTO stats.traffic_curve (app_category, format, requests_per_day, shares, is_proven)
VALUES ($1, $2, $3, $4, $5)
