-- Reads which codes a placement of the catalog has or had. A filter that is null lets all pass.
-- $1 text[]   codes
-- $2 text[]   ids of publishers
-- $3 text[]   ids of apps
SELECT DISTINCT split_part(placement.id, '/', 2) AS code
FROM catalog.objects AS placement
JOIN catalog.objects AS app ON app.kind = 'app' AND app.id = placement.parent_id
WHERE placement.kind = 'placement'
  AND split_part(placement.id, '/', 2) = ANY ($1)
  AND ($2::text[] IS NULL OR app.parent_id = ANY ($2))
  AND ($3::text[] IS NULL OR app.id = ANY ($3));
