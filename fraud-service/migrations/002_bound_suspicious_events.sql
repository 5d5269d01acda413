-- Bounds of the suspicious-event log: of a session, of an app and of an hour (UTC) so many entries are kept for each rule;
-- what is beyond them is counted. The release before adds entries without counting them.

-- Rejected events and package mismatches by app and rule, kept as entries or not. Kept as long as the log.
CREATE TABLE fraud.suspicious_hour (
  hour timestamptz NOT NULL,
  app_id text NOT NULL,
  rule text NOT NULL,
  events int8 NOT NULL,
  -- Of these, within the bound of their session; beyond the bound of the app they have no entry all the same.
  within_session int8 NOT NULL,
  PRIMARY KEY (hour, app_id, rule)
);

-- How much of a session's bound is used. Kept for hours.
CREATE TABLE fraud.suspicious_session_hour (
  hour timestamptz NOT NULL,
  session_id text NOT NULL,
  rule text NOT NULL,
  events int8 NOT NULL,
  PRIMARY KEY (hour, session_id, rule)
);
