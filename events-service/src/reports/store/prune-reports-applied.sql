-- Deletes the names of reports that are too old to be sent again.
-- $1 kept_seconds float8
DELETE FROM events.reports_applied WHERE applied_at < now() - make_interval(secs => $1)
