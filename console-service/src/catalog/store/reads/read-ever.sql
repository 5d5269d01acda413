-- Reads the named objects, also those that are removed.
-- $1 text[]   kinds
-- $2 text[]   ids, one for each kind
SELECT object.kind, object.id, object.parent_id, object.fields, object.removed
FROM unnest($1::text[], $2::text[]) AS wanted (kind, id)
JOIN catalog.objects AS object ON object.kind = wanted.kind AND object.id = wanted.id;
