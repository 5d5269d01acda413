-- Objects whose name begins with a text. It has no parameters.
CREATE INDEX CONCURRENTLY IF NOT EXISTS objects_name ON catalog.objects
  (kind, lower(fields ->> 'name') text_pattern_ops) WHERE NOT removed;
