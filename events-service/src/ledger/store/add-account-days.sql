-- Adds to the day sums of accounts, in one fixed order.
-- $1 transaction_kind text  $2 account_kind text[]  $3 account_id text[]  $4 day date[]  $5 sum_nanos numeric[]  $6 entries int8[]
INSERT INTO ledger.account_day AS stored (account_kind, account_id, day, transaction_kind, sum_nanos, entries)
SELECT account_kind, account_id, day, $1::text, sum_nanos, entries
FROM unnest($2::text[], $3::text[], $4::date[], $5::numeric[], $6::int8[])
  AS change (account_kind, account_id, day, sum_nanos, entries)
ORDER BY account_kind COLLATE "C", account_id COLLATE "C", day
ON CONFLICT (account_kind, account_id, day, transaction_kind) DO UPDATE
SET sum_nanos = stored.sum_nanos + excluded.sum_nanos, entries = stored.entries + excluded.entries
