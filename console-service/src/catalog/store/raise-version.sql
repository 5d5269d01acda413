-- Makes a change visible under its version and wakes every console-service.
-- $1 bigint   the new version
WITH raised AS (
  UPDATE catalog.counter SET version = $1::bigint RETURNING version
)
SELECT pg_notify('placard_catalog', version::text) FROM raised;
