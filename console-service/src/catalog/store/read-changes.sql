-- The changes after a version, including tombstones, and the current version, in one snapshot.
-- $1 bigint   the version that the reader has; 0: every object
SELECT
  counter.version AS current_version,
  object.kind,
  object.id,
  object.parent_id,
  object.fields,
  object.version,
  object.removed,
  CASE
    WHEN object.kind = 'advertiser' THEN (
      SELECT coalesce(sum(deposit.amount_nanos), 0)
      FROM accounts.deposits AS deposit
      WHERE deposit.advertiser_id = object.id
    ) + (
      SELECT coalesce(sum(adjustment.amount_nanos), 0)
      FROM accounts.adjustments AS adjustment
      WHERE adjustment.account_kind = 'advertiser' AND adjustment.account_id = object.id
    )
    ELSE 0
  END AS funded_nanos
FROM catalog.counter AS counter
LEFT JOIN catalog.objects AS object ON object.version > $1::bigint;
