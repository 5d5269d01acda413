-- The sessions for which a session waits: one row each. Parameters: $1 the process id of the waiting session.
-- A role without the right to see a foreign session gets its id, its name and its role only; the rest is NULL.
SELECT
  holder.pid,
  coalesce(nullif(holder.application_name, ''), holder.backend_type) AS application,
  holder.usename AS role,
  holder.state,
  (extract(epoch FROM clock_timestamp() - holder.xact_start) * 1000)::float8 AS transaction_ms
FROM unnest(pg_blocking_pids($1)) AS blocking (pid)
JOIN pg_stat_activity AS holder USING (pid)
ORDER BY holder.xact_start NULLS LAST
