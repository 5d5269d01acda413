-- What one version changed, and what was changed since. It has no parameters.
CREATE INDEX CONCURRENTLY IF NOT EXISTS changes_version ON audit.changes (version);
