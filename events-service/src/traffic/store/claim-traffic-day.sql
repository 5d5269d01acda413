-- Claims the learning of a day's curves. Returns no row when they were learned before. Waits for a worker that is learning.
-- $1 day text: YYYY-MM-DD
INSERT INTO stats.traffic_learned (day) VALUES ($1::date)
ON CONFLICT DO NOTHING
RETURNING day
