-- Adds the first key pair. Does nothing when another console-service was faster.
-- $1 id text  $2 private_jwk text  $3 created_ms float8
INSERT INTO health.signing_key (number, id, private_jwk, created_at)
VALUES (1, $1, $2::jsonb, to_timestamp($3::float8 / 1000))
ON CONFLICT (number) DO NOTHING
