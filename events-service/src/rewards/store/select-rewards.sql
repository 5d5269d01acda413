-- Accepted rewards that wait to be confirmed, oldest first.
-- $1 count_max int4
SELECT request_id, publisher_id, app_id, placement, is_test, accepted_at
FROM events.accepted_reward
ORDER BY accepted_at, request_id
LIMIT $1
