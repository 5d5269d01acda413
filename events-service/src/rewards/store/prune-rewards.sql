-- Deletes rewards that nobody has confirmed for a long time.
-- $1 kept_seconds float8
DELETE FROM events.accepted_reward WHERE accepted_at < now() - make_interval(secs => $1)
