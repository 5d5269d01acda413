-- Marks a payout or refund as booked in the ledger, and adds it to the audit.
-- $1 text               kind: payout or refund
-- $2 text               reference
-- $3 double precision   epoch ms
WITH marked AS (
  UPDATE accounts.transfers
  SET booked_at = to_timestamp($3::double precision / 1000.0)
  WHERE kind = $1 AND reference = $2 AND booked_at IS NULL AND refused_at IS NULL
  RETURNING kind, reference, account_id, amount_nanos, actor, booked_at
)
INSERT INTO audit.changes (version, changed_at, actor, action, kind, object_id, after)
SELECT
  counter.version, marked.booked_at, marked.actor, CASE marked.kind WHEN 'payout' THEN 'paid_out' ELSE 'refunded' END,
  CASE marked.kind WHEN 'payout' THEN 'publisher' ELSE 'advertiser' END, marked.account_id,
  jsonb_build_object('reference', marked.reference, 'amount_nanos', marked.amount_nanos::text)
FROM marked
CROSS JOIN catalog.counter;
