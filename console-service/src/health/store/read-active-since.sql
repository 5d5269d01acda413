-- Reads when each campaign last became active: when it was created as such, or its status changed to it. Leaves out campaigns
-- that never were.
-- $1 text[]   campaign ids
SELECT object_id AS campaign_id, max(changed_at) AS active_since
FROM audit.changes
WHERE kind = 'campaign' AND object_id = ANY ($1::text[])
  AND after ->> 'status' = 'active' AND before ->> 'status' IS DISTINCT FROM 'active'
GROUP BY object_id;
