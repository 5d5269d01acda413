-- Reads an object with its version. None when it is removed.
-- $1 text   kind
-- $2 text   id
SELECT kind, id, parent_id, fields, version
FROM catalog.objects
WHERE kind = $1 AND id = $2 AND NOT removed;
