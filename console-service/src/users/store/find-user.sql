-- Reads the user who may log in with a name.
-- $1 text   name in lower case
SELECT id, name, role, password_hash, totp_secret, is_totp_confirmed, created_at, created_by, removed_at
FROM access.users WHERE name_key = $1 AND removed_at IS NULL;
