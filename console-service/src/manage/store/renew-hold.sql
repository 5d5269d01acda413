-- Moves on the end of a hold. Does nothing when another request has taken over the name. $1 actor, $2 key, $3 holder,
-- $4 milliseconds until the hold ends, by the clock of the database.
UPDATE manage.requests
SET held_until = clock_timestamp() + $4::double precision * interval '1 millisecond'
WHERE actor_id = $1 AND key = $2 AND holder = $3 AND status IS NULL
