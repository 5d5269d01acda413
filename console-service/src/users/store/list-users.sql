-- Reads all users, the oldest first. No parameters.
SELECT id, name, role, password_hash, totp_secret, is_totp_confirmed, created_at, created_by, removed_at
FROM access.users ORDER BY created_at, id;
