-- Adds a webhook unless there are too many, with its row of the audit. Returns no row then.
-- $1 id text  $2 name text  $3 url text  $4 created_ms float8  $5 count_max int4  $6 actor text
WITH added AS (
  INSERT INTO health.webhook (id, name, url, created_at)
  SELECT $1, $2, $3, to_timestamp($4::float8 / 1000)
  WHERE (SELECT count(*) FROM health.webhook) < $5::int4
  RETURNING id, name, created_at
)
INSERT INTO audit.access (at, actor, action, subject, detail)
SELECT created_at, $6, 'webhook_created', id, jsonb_build_object('name', name) FROM added
RETURNING subject
