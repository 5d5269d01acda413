-- Of the request that reported an event, so that the trace of its settlement can name it. NULL when requests are not traced.
ALTER TABLE events.event ADD COLUMN traceparent text;
