-- Revokes an API key. Answers no row when it is revoked already.
-- $1 text               id
-- $2 double precision   epoch ms
UPDATE access.keys SET revoked_at = to_timestamp($2::double precision / 1000.0)
WHERE id = $1 AND revoked_at IS NULL
RETURNING id;
