-- The key pairs that sign notices and reward callbacks, the one in use first. No parameters.
SELECT id, private_jwk FROM health.signing_key ORDER BY number DESC
