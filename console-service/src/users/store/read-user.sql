-- Reads one user and locks it.
-- $1 text   id
SELECT id, name, role, password_hash, totp_secret, is_totp_confirmed, created_at, created_by, removed_at
FROM access.users WHERE id = $1 FOR UPDATE;
