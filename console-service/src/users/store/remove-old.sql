-- Removes sessions and counts of attempts that are older than an instant.
-- $1 double precision   epoch ms
WITH sessions AS (
  DELETE FROM access.sessions WHERE created_at < to_timestamp($1::double precision / 1000.0)
)
DELETE FROM access.login_attempts WHERE begun_at < to_timestamp($1::double precision / 1000.0);
