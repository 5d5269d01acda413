-- Adds a session.
-- $1 bytea              hash of its token
-- $2 text               id of its user
-- $3 double precision   epoch ms
INSERT INTO access.sessions (hash, user_id, created_at, last_used_at)
VALUES ($1, $2, to_timestamp($3::double precision / 1000.0), to_timestamp($3::double precision / 1000.0));
