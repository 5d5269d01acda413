-- Reads the changes of objects after a version, oldest first.
-- $1 bigint   version
-- $2 bigint   most rows
SELECT id AS row_id, version, changed_at, actor, kind, object_id, action, before, after
FROM audit.changes
WHERE version > $1 AND action IN ('created', 'updated', 'removed')
ORDER BY id
LIMIT $2;
