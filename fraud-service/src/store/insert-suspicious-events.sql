-- Adds entries to the suspicious-event log, all in one statement.
-- $1 text[]               rule
-- $2 text[]               event
-- $3 text[]               app id
-- $4 text[]               placement code or null
-- $5 text[]               session id or null
-- $6 text[]               request id or null
-- $7 double precision[]   epoch ms of the arrival
INSERT INTO fraud.suspicious_events (rule, event, app_id, placement, session_id, request_id, at)
SELECT rule, event, app_id, placement, session_id, request_id, to_timestamp(at_ms / 1000.0)
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::double precision[])
  AS entry (rule, event, app_id, placement, session_id, request_id, at_ms);
