-- The ids of notices that are not over, oldest first.
-- $1 rows_max int4
SELECT id FROM health.notice
WHERE delivered_at IS NULL AND given_up_at IS NULL
ORDER BY made_at
LIMIT $1
