-- Counts the entries of the suspicious-event log by the keys of the report: the groups with the most entries.
-- $1 from_ms float8  $2 to_ms float8: half-open  $3 rule text or null  $4 app_id text or null  $5 rows_max int4; the columns of
-- the keys stand where /*keys*/ stands
SELECT
  keys, entries, first_at, last_at,
  count(*) OVER () AS row_count
FROM (
  SELECT ARRAY[/*keys*/]::text[] AS keys, count(*) AS entries, min(at) AS first_at, max(at) AS last_at
  FROM fraud.suspicious_events
  WHERE at >= to_timestamp($1::float8 / 1000) AND at < to_timestamp($2::float8 / 1000)
    AND ($3::text IS NULL OR rule = $3) AND ($4::text IS NULL OR app_id = $4)
  GROUP BY 1
) AS counted
ORDER BY entries DESC, keys COLLATE "C"
LIMIT $5
