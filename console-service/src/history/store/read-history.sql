-- Reads changes of objects, newest first.
-- $1 text     object id; null: of every object
-- $2 bigint   only rows before this one; null: from the newest
-- $3 bigint   most rows
SELECT id AS row_id, version, changed_at, actor, kind, object_id, action, before, after
FROM audit.changes
WHERE ($1::text IS NULL OR object_id = $1)
  AND ($2::bigint IS NULL OR id < $2)
  AND action IN ('created', 'updated', 'removed')
ORDER BY id DESC
LIMIT $3;
