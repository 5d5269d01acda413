-- What days of traffic look like, for the plans of paced campaigns: counted by half hours, learned once a day.

-- Live ad requests for which some campaign was left after targeting and caps, as serving-service reports them. An app
-- without a category is an empty text. Kept for as many days as curves are learned from, and some more.
CREATE TABLE stats.traffic_half_hour (
  half_hour timestamptz NOT NULL,
  app_category text NOT NULL,
  format text NOT NULL,
  requests int8 NOT NULL,
  PRIMARY KEY (half_hour, app_category, format)
);

-- The learned day of each group: 48 shares that add up to 1. Written whole by the worker, once a day.
CREATE TABLE stats.traffic_curve (
  app_category text NOT NULL,
  format text NOT NULL,
  requests_per_day float8 NOT NULL,
  shares float8[] NOT NULL CHECK (cardinality(shares) = 48),
  is_proven boolean NOT NULL,
  PRIMARY KEY (app_category, format)
);

-- The UTC days for which curves were learned, so that one worker of several does it, once.
CREATE TABLE stats.traffic_learned (
  day date PRIMARY KEY,
  learned_at timestamptz NOT NULL DEFAULT now()
);
