-- Counts rejected events and adds those within the limits to the suspicious-event log, in one statement. Rows of counts
-- are locked in a fixed order, sessions before apps. Answers the number of added entries.
-- $1 text[]               rule
-- $2 text[]               event
-- $3 text[]               app id
-- $4 text[]               placement code or null
-- $5 text[]               session id or null
-- $6 text[]               request id or null
-- $7 double precision[]   epoch ms of the arrival
-- $8 int8                 most entries of a session, rule and hour
-- $9 int8                 most entries of an app, rule and hour
WITH entry AS (
  SELECT
    *, to_timestamp(at_ms / 1000.0) AS at, to_timestamp(floor(at_ms / 3600000) * 3600) AS hour,
    row_number() OVER (PARTITION BY floor(at_ms / 3600000), session_id, rule ORDER BY place) AS place_in_session,
    count(*) OVER (PARTITION BY floor(at_ms / 3600000), session_id, rule) AS events_of_session
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::double precision[])
    WITH ORDINALITY AS given (rule, event, app_id, placement, session_id, request_id, at_ms, place)
),
session AS (
  INSERT INTO fraud.suspicious_session_hour AS stored (hour, session_id, rule, events)
  SELECT hour, session_id, rule, count(*)
  FROM entry
  WHERE session_id IS NOT NULL
  GROUP BY hour, session_id, rule
  ORDER BY hour, session_id COLLATE "C", rule COLLATE "C"
  ON CONFLICT (hour, session_id, rule) DO UPDATE
  SET events = stored.events + excluded.events
  RETURNING hour, session_id, rule, events
),
judged AS (
  SELECT
    entry.*,
    session.events IS NULL OR session.events - events_of_session + place_in_session <= $8::int8 AS is_within_session
  FROM entry
  LEFT JOIN session USING (hour, session_id, rule)
),
app AS (
  INSERT INTO fraud.suspicious_hour AS stored (hour, app_id, rule, events, within_session)
  SELECT hour, app_id, rule, count(*), count(*) FILTER (WHERE is_within_session)
  FROM judged
  GROUP BY hour, app_id, rule
  ORDER BY hour, app_id COLLATE "C", rule COLLATE "C"
  ON CONFLICT (hour, app_id, rule) DO UPDATE
  SET events = stored.events + excluded.events, within_session = stored.within_session + excluded.within_session
  RETURNING hour, app_id, rule, within_session
),
candidate AS (
  SELECT
    *, row_number() OVER (PARTITION BY hour, app_id, rule ORDER BY place) AS place_in_app,
    count(*) OVER (PARTITION BY hour, app_id, rule) AS events_of_app
  FROM judged
  WHERE is_within_session
)
INSERT INTO fraud.suspicious_events (rule, event, app_id, placement, session_id, request_id, at)
SELECT rule, event, app_id, placement, session_id, request_id, at
FROM candidate
JOIN app USING (hour, app_id, rule)
WHERE app.within_session - events_of_app + place_in_app <= $9::int8
ORDER BY place
