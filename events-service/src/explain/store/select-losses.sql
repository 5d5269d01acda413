-- Lost requests of a campaign.
-- $1 campaign_id text  $2 from_ms float8  $3 to_ms float8: half-open
SELECT extract(epoch FROM hour)::int8 / 3600 AS hour, step, rival, requests, samples
FROM stats.loss_hour
WHERE campaign_id = $1 AND hour >= to_timestamp($2::float8 / 1000) AND hour < to_timestamp($3::float8 / 1000)
ORDER BY hour, step COLLATE "C", rival COLLATE "C"
