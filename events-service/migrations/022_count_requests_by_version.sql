-- Live ad requests by the versions that they name, as serving-service reports them, beside stats.request_hour. Without
-- placement and format: versions come by the dozen, and the table grows with them. Empty text: the request named none; an
-- empty reason is a fill. Of an app and day, about a hundred pairs of versions have a name; the rest is `other`.
CREATE TABLE stats.request_version_hour (
  hour timestamptz NOT NULL,
  publisher_id text NOT NULL,
  app_id text NOT NULL,
  country text NOT NULL,
  app_version text NOT NULL,
  sdk_version text NOT NULL,
  no_fill_reason text NOT NULL,
  requests int8 NOT NULL,
  PRIMARY KEY (hour, publisher_id, app_id, country, app_version, sdk_version, no_fill_reason)
);
