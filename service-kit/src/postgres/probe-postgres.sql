-- Whether the database takes writes. Parameters: none.
-- One row. `refusal` is the reason why not, or NULL. If it is NULL, the statement writes a message into the write-ahead
-- log, which its commit syncs, and rows beyond work_mem (64 kB for this connection) into a temporary file that ends
-- with the statement.
-- The statement needs no table and no right on one, and leaves nothing behind.
SELECT refusal,
  CASE WHEN refusal IS NULL THEN pg_logical_emit_message(true, 'placard', 'probe')::text END AS logged,
  CASE WHEN refusal IS NULL THEN (SELECT count(*) FROM generate_series(1, 8192)) END AS spilled
FROM (SELECT CASE
  WHEN pg_is_in_recovery() THEN 'this is a standby, which takes no writes'
  WHEN current_setting('transaction_read_only')::boolean THEN 'it takes no writes: it is set to read only'
END AS refusal) AS state
