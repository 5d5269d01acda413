-- Reads one API key.
-- $1 text   id
SELECT id, name, role, hash, created_at, created_by, last_used_at, revoked_at FROM access.keys WHERE id = $1;
