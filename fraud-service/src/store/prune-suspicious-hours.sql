-- Removes counts of rejected events that are too old, up to a limit. Rows that another instance is removing are
-- skipped.
-- $1 double precision   epoch ms: counts of hours that ended before it are removed
-- $2 integer            most rows to remove
DELETE FROM fraud.suspicious_hour
WHERE (hour, app_id, rule) IN (
  SELECT hour, app_id, rule
  FROM fraud.suspicious_hour
  WHERE hour <= to_timestamp($1::double precision / 1000.0) - interval '1 hour'
  ORDER BY hour
  LIMIT $2::integer
  FOR UPDATE SKIP LOCKED
)
