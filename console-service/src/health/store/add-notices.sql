-- Adds a notice of each event for each webhook.
-- $1 event text[]: JSON  $2 made_ms float8
INSERT INTO health.notice (id, webhook_id, event, made_at)
SELECT 'ntc_' || replace(gen_random_uuid()::text, '-', ''), webhook.id, made.event, to_timestamp($2::float8 / 1000)
FROM health.webhook
CROSS JOIN unnest($1::text[]) AS made (event)
