-- When the longest running insert of events began (NULL: none runs), when this was looked at, and whether at a standby, which
-- knows of no inserts and may lack what was stored. The inserts are known by the first line of their text. Looked at before
-- the sums are read: what runs no longer is in their snapshot.
SELECT statement_timestamp() AS looked_at, min(xact_start) AS oldest_at, pg_is_in_recovery() AS is_standby
FROM pg_stat_activity
WHERE datname = current_database() AND state = 'active' AND query LIKE '-- Stores a group of judged events%'
