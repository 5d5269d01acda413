-- Removes a webhook with its notices, and adds a row to the audit. Returns no row when there is none.
-- $1 id text  $2 at_ms float8  $3 actor text
WITH removed AS (
  DELETE FROM health.webhook WHERE id = $1 RETURNING id, name
)
INSERT INTO audit.access (at, actor, action, subject, detail)
SELECT to_timestamp($2::float8 / 1000), $3, 'webhook_removed', id, jsonb_build_object('name', name) FROM removed
RETURNING subject
