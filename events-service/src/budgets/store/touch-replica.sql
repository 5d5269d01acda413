-- Records that a replica is alive, and returns how many are: itself and those that were seen lately.
-- $1 run text  $2 at_ms float8: by the clock of events-service  $3 alive_ms float8
WITH touched AS (
  INSERT INTO budget.replica (run, seen_at) VALUES ($1, to_timestamp($2::float8 / 1000))
  ON CONFLICT (run) DO UPDATE SET seen_at = greatest(replica.seen_at, excluded.seen_at)
)
SELECT count(*)::int + 1 AS replicas
FROM budget.replica
WHERE run <> $1 AND seen_at >= to_timestamp(($2::float8 - $3::float8) / 1000)
