-- Adds an adjustment.
-- $1 text               reference
-- $2 text               account kind
-- $3 text               account id
-- $4 bigint             amount in nano-units
-- $5 text               reason
-- $6 double precision   epoch ms
INSERT INTO accounts.adjustments (reference, account_kind, account_id, amount_nanos, reason, made_at)
VALUES ($1, $2, $3, $4, $5, to_timestamp($6::double precision / 1000.0));
