-- Deletes lost requests of hours that are no longer kept.
-- $1 kept_seconds float8
DELETE FROM stats.loss_hour WHERE hour < now() - make_interval(secs => $1)
