-- Pages of the objects that are approved, or that are not. It has no parameters.
CREATE INDEX CONCURRENTLY IF NOT EXISTS objects_approved ON catalog.objects (kind, (fields ->> 'approved'), id)
  WHERE NOT removed;
