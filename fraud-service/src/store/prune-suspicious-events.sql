-- Removes entries of the suspicious-event log that are too old or too many, with a limit for each kind. Rows that
-- another instance is removing are skipped. Ids only grow, so the newest n entries are among the n highest ids.
-- $1 double precision   epoch ms: entries before it are too old
-- $2 bigint             entries that may stay
-- $3 integer            most entries of each kind to remove
WITH too_old AS (
  SELECT id
  FROM fraud.suspicious_events
  WHERE at < to_timestamp($1::double precision / 1000.0)
  ORDER BY at
  LIMIT $3::integer
  FOR UPDATE SKIP LOCKED
),
too_many AS (
  SELECT id
  FROM fraud.suspicious_events
  WHERE id <= (SELECT max(id) FROM fraud.suspicious_events) - $2::bigint
  ORDER BY id
  LIMIT $3::integer
  FOR UPDATE SKIP LOCKED
)
DELETE FROM fraud.suspicious_events
WHERE id IN (SELECT id FROM too_old UNION SELECT id FROM too_many);
