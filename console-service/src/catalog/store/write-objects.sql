-- Creates, changes or removes objects under one version. A removed object keeps its last fields as a tombstone.
-- $1 bigint    version
-- $2 text[]    kinds
-- $3 text[]    ids
-- $4 text[]    kinds of the parents, or null
-- $5 text[]    ids of the parents, or null
-- $6 text[]    fields as JSON
-- $7 boolean[] removed
INSERT INTO catalog.objects (kind, id, parent_kind, parent_id, fields, version, removed)
SELECT kind, id, parent_kind, parent_id, fields::jsonb, $1::bigint, removed
FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[])
  AS object (kind, id, parent_kind, parent_id, fields, removed)
ON CONFLICT (kind, id) DO UPDATE SET
  parent_kind = excluded.parent_kind,
  parent_id = excluded.parent_id,
  fields = excluded.fields,
  version = excluded.version,
  removed = excluded.removed;
