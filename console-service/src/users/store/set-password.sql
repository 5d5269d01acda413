-- Sets the password of a user.
-- $1 text   id
-- $2 text   hash of the password
UPDATE access.users SET password_hash = $2 WHERE id = $1;
