-- Stores the answer to a request. $1 actor, $2 key, $3 holder, $4 status, $5 etag, $6 body, $7 whether the body holds a secret and is
-- left out.
UPDATE manage.requests
SET status = $4, etag = $5, body = $6, is_secret = $7
WHERE actor_id = $1 AND key = $2 AND holder = $3
