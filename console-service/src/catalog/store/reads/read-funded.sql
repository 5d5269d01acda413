-- Reads what advertisers paid in, in nano-units: deposits and adjustments less refunds. Leaves out advertisers without any.
-- $1 text[]   advertiser ids
SELECT advertiser_id, sum(amount_nanos) AS funded_nanos
FROM (
  SELECT advertiser_id, amount_nanos FROM accounts.deposits WHERE advertiser_id = ANY ($1::text[])
  UNION ALL
  SELECT account_id, amount_nanos FROM accounts.adjustments
  WHERE account_kind = 'advertiser' AND account_id = ANY ($1::text[])
  UNION ALL
  SELECT account_id, -amount_nanos FROM accounts.transfers
  WHERE kind = 'refund' AND refused_at IS NULL AND account_id = ANY ($1::text[])
) AS given
GROUP BY advertiser_id;
