-- Open leases whose ads have been over for long enough, oldest first. Leases of the same minute become due together, so in
-- this order one transaction touches few sums.
-- $1 over_before_ms float8  $2 count_max int4
SELECT campaign_id, minute, run
FROM budget.lease
WHERE closed_at IS NULL AND expires_at < to_timestamp($1::float8 / 1000)
ORDER BY expires_at, advertiser_id, campaign_id
LIMIT $2
