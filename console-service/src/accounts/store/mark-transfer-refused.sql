-- Marks a payout or refund as refused by the ledger, and adds the refusal to the audit.
-- $1 text               kind: payout or refund
-- $2 text               reference
-- $3 text               reason
-- $4 double precision   epoch ms
WITH marked AS (
  UPDATE accounts.transfers
  SET refused_at = to_timestamp($4::double precision / 1000.0), refusal = $3
  WHERE kind = $1 AND reference = $2 AND booked_at IS NULL AND refused_at IS NULL
  RETURNING kind, reference, account_id, amount_nanos, actor, refused_at, refusal
)
INSERT INTO audit.changes (version, changed_at, actor, action, kind, object_id, after)
SELECT
  counter.version, marked.refused_at, marked.actor, marked.kind || '_refused',
  CASE marked.kind WHEN 'payout' THEN 'publisher' ELSE 'advertiser' END, marked.account_id,
  jsonb_build_object('reference', marked.reference, 'amount_nanos', marked.amount_nanos::text, 'reason', marked.refusal)
FROM marked
CROSS JOIN catalog.counter;
