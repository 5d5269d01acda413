-- Rows and bytes that Postgres has written for budgets so far, and the size of their tables.
SELECT
  (SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::int8 FROM pg_stat_user_tables WHERE schemaname = 'budget') AS rows_written,
  (SELECT n_tup_ins FROM pg_stat_user_tables WHERE schemaname = 'budget' AND relname = 'lease') AS leases_made,
  (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS transactions,
  pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::int8 AS wal_bytes,
  (
    SELECT sum(pg_total_relation_size(relid))::int8 FROM pg_stat_user_tables WHERE schemaname = 'budget'
  ) AS table_bytes,
  (SELECT count(*) FROM budget.lease WHERE closed_at IS NULL) AS open_leases
