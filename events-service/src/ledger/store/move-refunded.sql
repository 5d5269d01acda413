-- Adds to the refunds of an advertiser, which grants of leases count as spent money. Locks the row as a grant does.
-- $1 advertiser_id text  $2 nanos numeric
INSERT INTO budget.advertiser AS stored (advertiser_id, closed_nanos, refunded_nanos)
VALUES ($1, $2::numeric, $2::numeric)
ON CONFLICT (advertiser_id) DO UPDATE
SET
  closed_nanos = stored.closed_nanos + excluded.closed_nanos,
  refunded_nanos = stored.refunded_nanos + excluded.refunded_nanos
