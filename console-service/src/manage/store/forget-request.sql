-- Frees the name of a request that changed nothing. $1 actor, $2 key, $3 holder.
DELETE FROM manage.requests
WHERE actor_id = $1 AND key = $2 AND holder = $3 AND status IS NULL
