-- Whether the events of a day were dropped at the end of their retention.
-- $1 day date
SELECT EXISTS (SELECT FROM events.dropped_day WHERE day = $1::date) AS is_dropped
