-- How many rewards wait to be confirmed, counted up to a bound, and when the oldest was accepted. No parameters.
SELECT
  (SELECT count(*) FROM (SELECT FROM events.accepted_reward LIMIT 100000) AS counted)::int4 AS waiting,
  (SELECT min(accepted_at) FROM events.accepted_reward) AS oldest_at
