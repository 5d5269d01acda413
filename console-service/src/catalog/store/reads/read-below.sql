-- Reads the objects directly below the named ones. Leaves out removed objects.
-- $1 text[]   kinds of the parents
-- $2 text[]   ids of the parents, one for each kind
SELECT object.kind, object.id, object.parent_id, object.fields
FROM unnest($1::text[], $2::text[]) AS parent (kind, id)
JOIN catalog.objects AS object ON object.parent_kind = parent.kind AND object.parent_id = parent.id
WHERE NOT object.removed;
