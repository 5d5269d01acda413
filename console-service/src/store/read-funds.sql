-- Reads what each advertiser ever paid in, in nano-units. No parameters.
SELECT advertiser_id, sum(amount_nanos) AS funded_nanos
FROM accounts.deposits
GROUP BY advertiser_id
ORDER BY advertiser_id;
