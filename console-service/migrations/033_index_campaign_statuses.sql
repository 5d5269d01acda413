-- Pages of the campaigns with one status. It has no parameters.
CREATE INDEX CONCURRENTLY IF NOT EXISTS objects_status ON catalog.objects (kind, (fields ->> 'status'), id)
  WHERE NOT removed AND kind = 'campaign';
