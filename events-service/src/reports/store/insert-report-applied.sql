-- Notes that a report is applied; no row comes back when it was before.
-- $1 reporter_id text  $2 sequence int8
INSERT INTO events.reports_applied (reporter_id, sequence)
VALUES ($1, $2)
ON CONFLICT DO NOTHING
RETURNING sequence
