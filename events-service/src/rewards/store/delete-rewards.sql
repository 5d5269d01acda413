-- Ends the wait of confirmed rewards. The rows are locked in the order of their keys, so that two callers never wait for each
-- other.
-- $1 request_ids text[]
DELETE FROM events.accepted_reward
WHERE request_id IN (
  SELECT request_id FROM events.accepted_reward WHERE request_id = ANY ($1) ORDER BY request_id FOR UPDATE
)
