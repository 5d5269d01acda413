-- Reads the objects that are named, and the apps that have one of the keys (which may come twice); removed ones are left
-- out.
-- $1 text[]   kinds
-- $2 text[]   ids, one for each kind
-- $3 text[]   app keys
SELECT object.kind, object.id, object.parent_id, object.fields
FROM unnest($1::text[], $2::text[]) AS wanted (kind, id)
JOIN catalog.objects AS object ON object.kind = wanted.kind AND object.id = wanted.id
WHERE NOT object.removed
UNION ALL
SELECT object.kind, object.id, object.parent_id, object.fields
FROM catalog.objects AS object
WHERE object.kind = 'app' AND NOT object.removed AND object.fields ->> 'app_key' = ANY ($3::text[]);
