-- Reads the publisher or advertiser that an object of the catalog or a reward belongs to; of one of these, itself.
-- $1 text   kind
-- $2 text   id
WITH RECURSIVE line AS (
  SELECT kind, id, parent_kind, parent_id FROM catalog.objects WHERE kind = $1 AND id = $2
  UNION ALL
  SELECT parent.kind, parent.id, parent.parent_kind, parent.parent_id
  FROM catalog.objects AS parent JOIN line ON parent.kind = line.parent_kind AND parent.id = line.parent_id
)
SELECT kind, id FROM line WHERE kind IN ('advertiser', 'publisher')
UNION ALL
SELECT 'publisher', publisher_id FROM rewards.callback WHERE $1 = 'reward' AND request_id = $2;
