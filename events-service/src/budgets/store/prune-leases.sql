-- Deletes some of the leases that were closed long ago. Skips rows that another worker has locked.
-- $1 kept_seconds float8  $2 count_max int4
DELETE FROM budget.lease
WHERE ctid = ANY (
  ARRAY(
    SELECT ctid FROM budget.lease
    WHERE closed_at < now() - make_interval(secs => $1)
    LIMIT $2
    FOR UPDATE SKIP LOCKED
  )
)
