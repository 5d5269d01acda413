-- Keeps the currency while nothing is booked, and reads the kept one.
-- $1 text   ISO 4217
WITH kept AS (
  UPDATE accounts.currency SET code = $1 WHERE code IS NULL OR NOT is_fixed RETURNING code
)
SELECT coalesce((SELECT code FROM kept), (SELECT code FROM accounts.currency)) AS code;
