-- Sets the count of attempts with a name back.
-- $1 bytea   hash of the name
DELETE FROM access.login_attempts WHERE name_hash = $1;
