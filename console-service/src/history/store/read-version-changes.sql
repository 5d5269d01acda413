-- Reads the changes of objects that one version made, in their order.
-- $1 bigint   version
SELECT id AS row_id, version, changed_at, actor, kind, object_id, action, before, after
FROM audit.changes
WHERE version = $1 AND action IN ('created', 'updated', 'removed')
ORDER BY id;
