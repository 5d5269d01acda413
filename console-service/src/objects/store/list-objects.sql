-- Reads objects of one kind, ordered by id. A filter that is null lets all pass. Leaves out removed objects.
-- $1  text     kind
-- $2  text     only ids after this one
-- $3  text     id
-- $4  text     id of the parent
-- $5  text     kind of the parents, or null
-- $6  text     id of the parent's parent
-- $7  text     pattern of the name
-- $8  text     status
-- $9  text     approved: true or false
-- $10 bigint   most rows
SELECT object.kind, object.id, object.parent_id, object.fields, object.version
FROM catalog.objects AS object
WHERE object.kind = $1
  AND NOT object.removed
  AND ($2::text IS NULL OR object.id > $2)
  AND ($3::text IS NULL OR object.id = $3)
  AND ($4::text IS NULL OR object.parent_id = $4)
  AND ($6::text IS NULL OR object.parent_id = ANY (ARRAY(
    SELECT parent.id
    FROM catalog.objects AS parent
    WHERE parent.kind = $5 AND parent.parent_id = $6 AND NOT parent.removed
  )))
  AND ($7::text IS NULL OR lower(object.fields ->> 'name') LIKE lower($7))
  AND ($8::text IS NULL OR object.fields ->> 'status' = $8)
  AND ($9::text IS NULL OR object.fields ->> 'approved' = $9)
ORDER BY object.id
LIMIT $10;
