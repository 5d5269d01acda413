-- Reads the newest change after a version of each named object.
-- $1 bigint   version
-- $2 text[]   kinds
-- $3 text[]   ids, one for each kind
SELECT DISTINCT ON (change.kind, change.object_id)
  change.id AS row_id, change.version, change.changed_at, change.actor, change.kind, change.object_id, change.action,
  change.before, change.after
FROM unnest($2::text[], $3::text[]) AS named (kind, id)
JOIN audit.changes AS change ON change.kind = named.kind AND change.object_id = named.id
WHERE change.version > $1 AND change.action IN ('created', 'updated', 'removed')
ORDER BY change.kind, change.object_id, change.id DESC;
