-- Reads all API keys, the oldest first. No parameters.
SELECT id, name, role, hash, created_at, created_by, last_used_at, revoked_at FROM access.keys ORDER BY created_at, id;
