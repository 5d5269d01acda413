-- The changes of one object, newest first, when its kind is not known. It has no parameters.
CREATE INDEX CONCURRENTLY IF NOT EXISTS changes_object_id ON audit.changes (object_id, id);
