-- Adds an API key. Answers no row when the id exists already.
-- $1 text               id
-- $2 text               name
-- $3 text               role
-- $4 bytea              SHA-256 of the key's text
-- $5 double precision   epoch ms
-- $6 text               actor
INSERT INTO access.keys (id, name, role, hash, created_at, created_by)
VALUES ($1, $2, $3, $4, to_timestamp($5::double precision / 1000.0), $6)
ON CONFLICT (id) DO NOTHING
RETURNING id;
