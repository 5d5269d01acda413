-- Notes that a session was used.
-- $1 bytea              hash of its token
-- $2 double precision   epoch ms
UPDATE access.sessions SET last_used_at = to_timestamp($2::double precision / 1000.0) WHERE hash = $1;
