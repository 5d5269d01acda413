-- The names of objects, removed ones too, because their counts stay. A placement has no
-- name, so its id is answered. Other objects without a name are left out.
-- $1 text[]   kinds
-- $2 text[]   ids, one for each kind
SELECT object.kind, object.id, coalesce(object.fields ->> 'name', object.id) AS name
FROM unnest($1::text[], $2::text[]) AS wanted (kind, id)
JOIN catalog.objects AS object ON object.kind = wanted.kind AND object.id = wanted.id
WHERE object.fields ? 'name' OR object.kind = 'placement';
