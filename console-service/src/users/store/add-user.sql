-- Adds a user. Answers no row when a user who may log in has the name.
-- $1 text               id
-- $2 text               name
-- $3 text               name in lower case
-- $4 text               role
-- $5 text               hash of the password
-- $6 double precision   epoch ms
-- $7 text               actor
INSERT INTO access.users (id, name, name_key, role, password_hash, created_at, created_by)
VALUES ($1, $2, $3, $4, $5, to_timestamp($6::double precision / 1000.0), $7)
ON CONFLICT (name_key) WHERE removed_at IS NULL DO NOTHING
RETURNING id;
