-- Stores the result of an attempt.
-- $1 id text  $2 at_ms float8  $3 is_delivered bool  $4 is_given_up bool  $5 fault text: null when delivered
UPDATE health.notice
SET
  attempts = attempts + 1,
  fault = coalesce($5, fault),
  delivered_at = CASE WHEN $3::bool THEN to_timestamp($2::float8 / 1000) END,
  given_up_at = CASE WHEN $4::bool THEN to_timestamp($2::float8 / 1000) END
WHERE id = $1 AND delivered_at IS NULL AND given_up_at IS NULL
