-- Forgets reports that nobody sends again.
-- $1 kept_seconds float8
DELETE FROM events.reports_applied WHERE applied_at < now() - make_interval(secs => $1)
