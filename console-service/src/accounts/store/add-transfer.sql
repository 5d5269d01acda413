-- Adds a payout or refund whose reference is free, or replaces the one that the ledger refused.
-- $1 text               kind: payout or refund
-- $2 text               reference
-- $3 text               account id
-- $4 bigint             amount in nano-units
-- $5 text               actor
-- $6 double precision   epoch ms
INSERT INTO accounts.transfers AS stored (kind, reference, account_id, amount_nanos, actor, made_at)
VALUES ($1, $2, $3, $4, $5, to_timestamp($6::double precision / 1000.0))
ON CONFLICT (kind, reference) DO UPDATE
SET
  account_id = excluded.account_id,
  amount_nanos = excluded.amount_nanos,
  actor = excluded.actor,
  made_at = excluded.made_at,
  refused_at = NULL,
  refusal = NULL
WHERE stored.refused_at IS NOT NULL
RETURNING reference;
