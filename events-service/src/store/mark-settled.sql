-- Ends the wait of rows that this transaction holds.
-- $1 day date[]  $2 request_id text[]  $3 type text[]
UPDATE events.event
SET settled_at = now()
FROM unnest($1::date[], $2::text[], $3::text[]) AS taken (day, request_id, type)
WHERE event.day = taken.day
  AND event.day = ANY ($1::date[])
  AND event.request_id = taken.request_id
  AND event.type = taken.type
