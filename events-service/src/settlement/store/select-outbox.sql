-- The number of waiting events, counted up to a bound, and when the longest waiting event arrived (NULL: none waits).
-- $1 rows_max int4
SELECT count(*) AS waiting, min(arrived_at) AS oldest_at
FROM (SELECT arrived_at FROM events.event WHERE settled_at IS NULL LIMIT $1) AS waiting
