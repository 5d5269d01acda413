-- The concerns that have begun and not ended. No parameters.
SELECT key, began_at, seen_at, last_row FROM health.concern ORDER BY began_at, key
