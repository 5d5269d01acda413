-- Fallbacks that clients reported, with the country of the report: counted by events-service before it answers, and stored
-- nowhere else. A table of its own, since the release before goes on adding to stats.fallback_hour, whose key has no country:
-- that one has the fallbacks of the time before, and the settlement adds to it what still waits as rows. No fallback is in both.
CREATE TABLE stats.fallback_country_hour (
  hour timestamptz NOT NULL,
  publisher_id text NOT NULL,
  app_id text NOT NULL,
  placement text NOT NULL,
  format text NOT NULL,
  -- Empty: not known.
  country text NOT NULL,
  reason text NOT NULL,
  fallbacks int8 NOT NULL,
  PRIMARY KEY (hour, publisher_id, app_id, placement, format, country, reason)
);
