-- Reads the ids of all objects of one kind that are not removed, in order.
-- $1 text   kind
SELECT id FROM catalog.objects WHERE kind = $1 AND NOT removed ORDER BY id;
