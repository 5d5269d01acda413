-- Adds a session of a user, unless the user is removed or has another password by now. It waits for a change of the user that
-- is under way. Answers no row when there is no session.
-- $1 bytea              hash of its token
-- $2 text               id of its user
-- $3 double precision   epoch ms
-- $4 text               hash of the password that was checked
INSERT INTO access.sessions (hash, user_id, created_at, last_used_at)
SELECT $1, id, to_timestamp($3::double precision / 1000.0), to_timestamp($3::double precision / 1000.0)
FROM access.users
WHERE id = $2 AND password_hash = $4 AND removed_at IS NULL
FOR SHARE
RETURNING user_id;
