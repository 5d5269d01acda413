-- Adds to the balances of accounts, in one fixed order. It is the last statement of every booking, because all bookings lock
-- the platform's row until they commit.
-- $1 kind text[]  $2 id text[]  $3 change_nanos numeric[]; an account may stand in several lines
INSERT INTO ledger.account AS stored (kind, id, balance_nanos)
SELECT kind, id, sum(change_nanos)
FROM unnest($1::text[], $2::text[], $3::numeric[]) AS change (kind, id, change_nanos)
GROUP BY kind, id
ORDER BY kind COLLATE "C", id COLLATE "C"
ON CONFLICT (kind, id) DO UPDATE
SET balance_nanos = stored.balance_nanos + excluded.balance_nanos
