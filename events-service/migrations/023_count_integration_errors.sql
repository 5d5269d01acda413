-- Errors of the SDK API that gateways have answered, by app: `401.invalid_session`. An error whose request names no app of
-- the catalog has empty ids.
CREATE TABLE stats.integration_error_hour (
  hour timestamptz NOT NULL,
  publisher_id text NOT NULL,
  app_id text NOT NULL,
  error text NOT NULL,
  requests int8 NOT NULL,
  PRIMARY KEY (hour, publisher_id, app_id, error)
);
