-- Days of the partitions that are older than the retention, the oldest first. Both the caller's clock and the database's must
-- agree, so that one wrong clock drops nothing.
-- $1 today date  $2 kept_days int4
SELECT day
FROM (
  SELECT to_date(substring(pg_class.relname FROM 7), 'YYYYMMDD') AS day
  FROM pg_inherits
  JOIN pg_class ON pg_class.oid = pg_inherits.inhrelid
  WHERE pg_inherits.inhparent = 'events.event'::regclass AND pg_class.relname ~ '^event_\d{8}$'
) AS partition
WHERE day < least($1::date, (now() AT TIME ZONE 'UTC')::date) - $2::int4
ORDER BY day
