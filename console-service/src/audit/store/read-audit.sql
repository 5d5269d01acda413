-- Reads both tables of the audit as one, newest first. A filter that is null lets all pass.
-- $1 text               part of the actor
-- $2 text[]             actions
-- $3 double precision   from, epoch ms
-- $4 double precision   to, epoch ms, not included
-- $5 bigint             only rows behind this one: epoch µs, or null
-- $6 text               its table
-- $7 bigint             its id
-- $8 bigint             most rows
WITH changes AS (
  SELECT
    changed_at AS at, 'changes' AS source, id AS row_id, actor, action, kind, object_id AS subject, version, before, after
  FROM audit.changes
  WHERE ($1::text IS NULL OR strpos(lower(actor), lower($1)) > 0)
    AND ($2::text[] IS NULL OR action = ANY ($2))
    AND ($3::float8 IS NULL OR changed_at >= to_timestamp($3 / 1000))
    AND ($4::float8 IS NULL OR changed_at < to_timestamp($4 / 1000))
    AND ($5::bigint IS NULL OR (changed_at, 'changes', id) < ('epoch'::timestamptz + $5 * interval '1 microsecond', $6, $7))
  ORDER BY changed_at DESC, id DESC
  LIMIT $8
),
access AS (
  SELECT
    at, 'access' AS source, id AS row_id, actor, action, NULL AS kind, subject, NULL::bigint AS version,
    NULL::jsonb AS before, detail AS after
  FROM audit.access
  WHERE ($1::text IS NULL OR strpos(lower(actor), lower($1)) > 0)
    AND ($2::text[] IS NULL OR action = ANY ($2))
    AND ($3::float8 IS NULL OR at >= to_timestamp($3 / 1000))
    AND ($4::float8 IS NULL OR at < to_timestamp($4 / 1000))
    AND ($5::bigint IS NULL OR (at, 'access', id) < ('epoch'::timestamptz + $5 * interval '1 microsecond', $6, $7))
  ORDER BY at DESC, id DESC
  LIMIT $8
)
SELECT
  (extract(epoch FROM at) * 1000000)::bigint AS at_micros, source, row_id, actor, action, kind, subject, version, before,
  after
FROM (SELECT * FROM changes UNION ALL SELECT * FROM access) AS audit
ORDER BY at DESC, source DESC, row_id DESC
LIMIT $8;
