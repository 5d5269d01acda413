-- All webhooks. No parameters.
SELECT id, name, url, created_at FROM health.webhook ORDER BY created_at, id
