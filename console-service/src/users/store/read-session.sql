-- Reads a session with its user, unless the user is removed.
-- $1 bytea   hash of its token
SELECT
  users.id, name, role, password_hash, totp_secret, is_totp_confirmed, users.created_at, created_by, removed_at,
  sessions.created_at AS begun_at, last_used_at
FROM access.sessions JOIN access.users ON users.id = user_id
WHERE hash = $1 AND removed_at IS NULL;
