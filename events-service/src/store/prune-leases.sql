-- Forgets leases that were closed long ago.
-- $1 kept_seconds float8
DELETE FROM budget.lease WHERE closed_at < now() - make_interval(secs => $1)
