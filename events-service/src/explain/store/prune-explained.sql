-- Deletes explanations of requests that are no longer kept.
-- $1 kept_seconds float8
DELETE FROM stats.explained_request WHERE at < now() - make_interval(secs => $1)
