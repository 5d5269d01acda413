-- Reads the sum of the absolute amounts of all deposits and adjustments, in nano-units. No parameters.
SELECT
  (SELECT coalesce(sum(amount_nanos), 0) FROM accounts.deposits)
  + (SELECT coalesce(sum(abs(amount_nanos)), 0) FROM accounts.adjustments) AS total_nanos;
