-- Reads the named objects and the apps with one of the keys (an app may be returned twice). Leaves out removed objects.
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
