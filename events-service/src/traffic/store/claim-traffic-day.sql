-- Notes that the curves of a day are learned; no row comes back when they were before. Waits for a worker that is at it.
-- $1 day text: YYYY-MM-DD
INSERT INTO stats.traffic_learned (day) VALUES ($1::date)
ON CONFLICT DO NOTHING
RETURNING day
