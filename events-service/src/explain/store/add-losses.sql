-- Adds to the hourly counts of lost requests, in one fixed order; lines of one key are summed first.
-- $1 campaign_id text[]  $2 hour_ms float8[]  $3 step text[]  $4 rival text[]  $5 requests int8[]  $6 samples int8[]
INSERT INTO stats.loss_hour AS stored (campaign_id, hour, step, rival, requests, samples)
SELECT campaign_id, to_timestamp(hour_ms / 1000), step, rival, sum(requests), sum(samples)
FROM unnest($1::text[], $2::float8[], $3::text[], $4::text[], $5::int8[], $6::int8[])
  AS change (campaign_id, hour_ms, step, rival, requests, samples)
GROUP BY campaign_id, hour_ms, step, rival
ORDER BY campaign_id COLLATE "C", hour_ms, step COLLATE "C", rival COLLATE "C"
ON CONFLICT (campaign_id, hour, step, rival) DO UPDATE
SET requests = stored.requests + excluded.requests, samples = stored.samples + excluded.samples
