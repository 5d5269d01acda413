-- Adds deposits whose reference is free, and returns the added ones.
-- $1 text[]             references
-- $2 text[]             advertiser ids
-- $3 bigint[]           amounts in nano-units
-- $4 double precision   epoch ms
INSERT INTO accounts.deposits (reference, advertiser_id, amount_nanos, made_at)
SELECT reference, advertiser_id, amount_nanos, to_timestamp($4::double precision / 1000.0)
FROM unnest($1::text[], $2::text[], $3::bigint[]) AS deposit (reference, advertiser_id, amount_nanos)
ON CONFLICT (reference) DO NOTHING
RETURNING reference;
