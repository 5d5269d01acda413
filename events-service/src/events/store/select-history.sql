-- The stored events of each request id. The lateral subquery is not flattened, so each key reads one partition only.
-- $1 day date[]  $2 request_id text[]
SELECT asked.request_id, stored.type, stored.verdict, stored.rule, stored.arrived_at
FROM unnest($1::date[], $2::text[]) AS asked (day, request_id)
CROSS JOIN LATERAL (
  SELECT event.type, event.verdict, event.rule, event.arrived_at
  FROM events.event
  WHERE event.day = asked.day AND event.request_id = asked.request_id
  OFFSET 0
) AS stored
