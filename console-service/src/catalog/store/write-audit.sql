-- Adds changes to the audit.
-- $1 bigint             version
-- $2 double precision   epoch ms
-- $3 text               actor
-- $4 text[]             actions
-- $5 text[]             kinds
-- $6 text[]             object ids
-- $7 text[]             fields before as JSON, or null
-- $8 text[]             fields after as JSON, or null
INSERT INTO audit.changes (version, changed_at, actor, action, kind, object_id, before, after)
SELECT
  $1::bigint, to_timestamp($2::double precision / 1000.0), $3, action, kind, object_id, before::jsonb, after::jsonb
FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
  AS change (action, kind, object_id, before, after);
