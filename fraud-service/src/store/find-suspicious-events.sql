-- The entries of one ad, in the order of their arrival. The range of time lets the index on `at` find them.
-- $1 text               request id
-- $2 double precision   epoch ms from which, included
-- $3 double precision   epoch ms until which, excluded
-- $4 int4               most entries
SELECT rule, event, at
FROM fraud.suspicious_events
WHERE request_id = $1 AND at >= to_timestamp($2 / 1000.0) AND at < to_timestamp($3 / 1000.0)
ORDER BY at, id
LIMIT $4
