-- Removes counts of sessions that are too old, up to a limit. Rows that another instance is removing are skipped.
-- $1 double precision   epoch ms: counts of hours that ended before it are removed
-- $2 integer            most rows to remove
DELETE FROM fraud.suspicious_session_hour
WHERE (hour, session_id, rule) IN (
  SELECT hour, session_id, rule
  FROM fraud.suspicious_session_hour
  WHERE hour <= to_timestamp($1::double precision / 1000.0) - interval '1 hour'
  ORDER BY hour
  LIMIT $2::integer
  FOR UPDATE SKIP LOCKED
)
