-- Pages of the objects below one parent. It has no parameters.
CREATE INDEX CONCURRENTLY IF NOT EXISTS objects_page ON catalog.objects (kind, parent_id, id) WHERE NOT removed;
