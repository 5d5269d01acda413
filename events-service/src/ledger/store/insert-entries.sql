-- Writes the lines of new bookings.
-- $1 kind text  $2 transaction_id text[]  $3 account_kind text[]  $4 account_id text[]  $5 day date[]  $6 amount_nanos int8[]
INSERT INTO ledger.entry (kind, transaction_id, account_kind, account_id, day, amount_nanos)
SELECT $1::text, transaction_id, account_kind, account_id, day, amount_nanos
FROM unnest($2::text[], $3::text[], $4::text[], $5::date[], $6::int8[])
  AS line (transaction_id, account_kind, account_id, day, amount_nanos)
