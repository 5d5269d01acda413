-- A notice that is not over, with the address of its webhook.
-- $1 id text
SELECT notice.id, webhook.url, notice.event, notice.attempts
FROM health.notice
JOIN health.webhook ON webhook.id = notice.webhook_id
WHERE notice.id = $1 AND notice.delivered_at IS NULL AND notice.given_up_at IS NULL
