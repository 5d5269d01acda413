-- Removes requests that began before $1 (epoch ms).
DELETE FROM manage.requests WHERE begun_at < to_timestamp($1 / 1000.0)
