-- Notes that an API key was used.
-- $1 text               id
-- $2 double precision   epoch ms
UPDATE access.keys SET last_used_at = to_timestamp($2::double precision / 1000.0) WHERE id = $1;
