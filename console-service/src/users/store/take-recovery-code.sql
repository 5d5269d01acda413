-- Removes a recovery code. Answers no row when the user has none with this hash.
-- $1 text    id of the user
-- $2 bytea   hash
DELETE FROM access.recovery_codes WHERE user_id = $1 AND hash = $2 RETURNING user_id;
