-- Reads the ids of the objects of some kinds under some parents. Leaves out removed objects.
-- $1 text[]   kinds
-- $2 text[]   kinds of the parents, one for each kind; null: the kind has no parent
-- $3 text[]   ids of the parents
-- $4 bigint   most rows
WITH place AS (
  SELECT kind, parent_kind, parent_id FROM unnest($1::text[], $2::text[], $3::text[]) AS place (kind, parent_kind, parent_id)
)
SELECT kind, id, parent_id
FROM (
  SELECT object.kind, object.id, object.parent_id
  FROM place
  JOIN catalog.objects AS object USING (parent_kind, parent_id)
  WHERE object.kind = place.kind AND NOT object.removed
  UNION ALL
  SELECT object.kind, object.id, object.parent_id
  FROM catalog.objects AS object
  WHERE object.kind IN (SELECT kind FROM place WHERE parent_kind IS NULL) AND NOT object.removed
) AS sibling
LIMIT $4;
