-- Reads every object that is not removed, and the current version, in one snapshot. No parameters.
SELECT counter.version AS current_version, object.kind, object.id, object.parent_id, object.fields
FROM catalog.counter AS counter
CROSS JOIN catalog.objects AS object
WHERE NOT object.removed;
