-- The lease that pays for an ad.
-- $1 campaign_id text  $2 minute int8  $3 run text
SELECT expires_at, closed_at FROM budget.lease WHERE campaign_id = $1 AND minute = $2 AND run = $3
