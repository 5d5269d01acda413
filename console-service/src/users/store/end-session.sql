-- Ends one session, and adds a row to the audit. Does nothing when there is no such session.
-- $1 bytea              hash of its token
-- $2 double precision   epoch ms
-- $3 text               actor
WITH ended AS (
  DELETE FROM access.sessions WHERE hash = $1 RETURNING user_id
)
INSERT INTO audit.access (at, actor, action, subject, detail)
SELECT
  to_timestamp($2::double precision / 1000.0), $3, 'session_ended', ended.user_id, jsonb_build_object('name', users.name)
FROM ended
JOIN access.users ON users.id = ended.user_id;
