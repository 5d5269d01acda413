-- Counts an attempt to log in with a name. Answers the count of the window.
-- $1 bytea              hash of the name
-- $2 double precision   begin of the window, epoch ms
INSERT INTO access.login_attempts (name_hash, begun_at, count)
VALUES ($1, to_timestamp($2::double precision / 1000.0), 1)
ON CONFLICT (name_hash, begun_at) DO UPDATE SET count = login_attempts.count + 1
RETURNING count;
