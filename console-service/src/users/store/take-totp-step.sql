-- Notes the time step of a code. Answers no row when a code of this step or a later one was accepted before.
-- $1 text     id
-- $2 bigint   time step
UPDATE access.users SET totp_step = $2 WHERE id = $1 AND (totp_step IS NULL OR totp_step < $2) RETURNING id;
