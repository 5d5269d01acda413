-- Deletes replicas that ended long ago.
-- $1 kept_seconds float8
DELETE FROM budget.replica WHERE seen_at < now() - make_interval(secs => $1)
