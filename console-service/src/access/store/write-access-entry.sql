-- Adds a row to the audit of people and keys.
-- $1 double precision   epoch ms
-- $2 text               actor
-- $3 text               action
-- $4 text               subject
-- $5 text               detail as JSON
INSERT INTO audit.access (at, actor, action, subject, detail)
VALUES (to_timestamp($1::double precision / 1000.0), $2, $3, $4, $5::jsonb);
