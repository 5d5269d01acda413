-- Whether the database takes what a process writes. Parameters: none.
-- One row: `refusal` says why not, or is NULL, and then two things were written: a message into the log of changes, which this
-- statement's commit syncs, and rows beyond work_mem (64 kB for this connection) into a file that ends with the statement.
-- No table and no right on one is needed, and nothing is left behind.
SELECT refusal,
  CASE WHEN refusal IS NULL THEN pg_logical_emit_message(true, 'placard', 'probe')::text END AS logged,
  CASE WHEN refusal IS NULL THEN (SELECT count(*) FROM generate_series(1, 8192)) END AS spilled
FROM (SELECT CASE
  WHEN pg_is_in_recovery() THEN 'this is a standby, which takes no writes'
  WHEN current_setting('transaction_read_only')::boolean THEN 'it takes no writes: it is set to read only'
END AS refusal) AS state
