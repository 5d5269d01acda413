-- Sets or removes the secret of codes of a user. It is not confirmed yet. The old recovery codes are removed.
-- $1 text    id
-- $2 bytea   secret, or null
WITH old AS (DELETE FROM access.recovery_codes WHERE user_id = $1)
UPDATE access.users SET totp_secret = $2, is_totp_confirmed = false, totp_step = NULL WHERE id = $1;
