-- Reads a noted request. $1 actor, $2 key.
SELECT request_hash, status, etag, body, is_secret
FROM manage.requests
WHERE actor_id = $1 AND key = $2
