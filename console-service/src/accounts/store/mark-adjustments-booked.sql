-- Marks adjustments as booked in the ledger.
-- $1 text[]             references
-- $2 double precision   epoch ms
UPDATE accounts.adjustments
SET booked_at = to_timestamp($2::double precision / 1000.0)
WHERE reference = ANY ($1::text[]) AND booked_at IS NULL;
