-- How many callbacks wait for an attempt, counted up to a bound, and when the oldest of their rewards was accepted. No
-- parameters.
SELECT count(*)::int4 AS waiting, min(rewarded_at) AS oldest_at
FROM (SELECT rewarded_at FROM rewards.callback WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 100000) AS counted
