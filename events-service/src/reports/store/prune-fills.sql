-- Deletes campaign-minutes whose fills were over long ago.
-- $1 kept_seconds float8
DELETE FROM events.fills WHERE expires_at < now() - make_interval(secs => $1)
