-- Records that a report is applied. Returns no row when it was applied before.
-- $1 reporter_id text  $2 sequence int8
INSERT INTO events.reports_applied (reporter_id, sequence)
VALUES ($1, $2)
ON CONFLICT DO NOTHING
RETURNING sequence
