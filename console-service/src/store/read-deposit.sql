-- Reads one deposit.
-- $1 text   reference
SELECT reference, advertiser_id, amount_nanos FROM accounts.deposits WHERE reference = $1;
