-- Adds the close of a month to the audit, unless it is there. The caller has locked the counter of the catalog.
-- $1 text               month, such as 2026-11
-- $2 text               actor
-- $3 double precision   epoch ms
INSERT INTO audit.changes (version, changed_at, actor, action, kind, object_id)
SELECT counter.version, to_timestamp($3::double precision / 1000.0), $2, 'closed', 'month', $1
FROM catalog.counter
WHERE NOT EXISTS (SELECT FROM audit.changes WHERE kind = 'month' AND object_id = $1 AND action = 'closed');
