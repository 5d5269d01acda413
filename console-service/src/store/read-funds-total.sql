-- Reads what all advertisers ever paid in, in nano-units. No parameters.
SELECT coalesce(sum(amount_nanos), 0) AS total_nanos FROM accounts.deposits;
