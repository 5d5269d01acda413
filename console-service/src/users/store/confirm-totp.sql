-- Confirms the secret of codes of a user, and adds recovery codes.
-- $1 text      id
-- $2 bigint    time step of the code that proved it
-- $3 bytea[]   hashes of the recovery codes
WITH codes AS (INSERT INTO access.recovery_codes (user_id, hash) SELECT $1, unnest($3::bytea[]))
UPDATE access.users SET is_totp_confirmed = true, totp_step = $2 WHERE id = $1;
