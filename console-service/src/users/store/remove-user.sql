-- Removes a user; its row stays.
-- $1 text               id
-- $2 double precision   epoch ms
UPDATE access.users SET removed_at = to_timestamp($2::double precision / 1000.0) WHERE id = $1 AND removed_at IS NULL;
