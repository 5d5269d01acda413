-- The state of an index that is to be built. One row. Parameters: $1 the name of the table with its schema,
-- $2 the name of the index without a schema.
SELECT
  on_table.relkind = 'p' AS is_partitioned,
  -- An index that a failed build has left; NULL when there is none. That of a partitioned table is not valid either
  -- until every partition has its part, and stays.
  (
    SELECT state.indexrelid::regclass::text
    FROM pg_index AS state JOIN pg_class AS index ON index.oid = state.indexrelid
    WHERE state.indrelid = on_table.oid AND index.relname = $2 AND NOT state.indisvalid AND index.relkind = 'i'
  ) AS broken,
  ARRAY(
    SELECT format('%I.%I', space.nspname, part.relname)
    FROM pg_inherits
    JOIN pg_class AS part ON part.oid = pg_inherits.inhrelid
    JOIN pg_namespace AS space ON space.oid = part.relnamespace
    WHERE pg_inherits.inhparent = on_table.oid
    ORDER BY part.relname DESC
  ) AS partitions
FROM pg_class AS on_table
WHERE on_table.oid = $1::regclass
