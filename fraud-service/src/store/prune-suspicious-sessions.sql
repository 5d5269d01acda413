-- Removes counts of sessions that are too old, at most so many in one statement. What another instance is removing is
-- passed over.
-- $1 double precision   epoch ms: counts of hours that ended before it go
-- $2 integer            rows to remove at most
DELETE FROM fraud.suspicious_session_hour
WHERE (hour, session_id, rule) IN (
  SELECT hour, session_id, rule
  FROM fraud.suspicious_session_hour
  WHERE hour <= to_timestamp($1::double precision / 1000.0) - interval '1 hour'
  ORDER BY hour
  LIMIT $2::integer
  FOR UPDATE SKIP LOCKED
)
