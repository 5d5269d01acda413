-- The audit of changes by time, newest first. It has no parameters.
CREATE INDEX CONCURRENTLY IF NOT EXISTS changes_at ON audit.changes (changed_at, id);
