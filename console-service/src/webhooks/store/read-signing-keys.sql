-- The key pairs that sign notices, the one in use first. No parameters.
SELECT id, private_jwk FROM health.signing_key ORDER BY number DESC
