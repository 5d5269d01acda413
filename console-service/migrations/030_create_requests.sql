-- Requests of the management API that have an idempotency key, with their answers. A repeated request gets the stored answer.
CREATE SCHEMA IF NOT EXISTS manage;

CREATE TABLE manage.requests (
  -- The caller. Two callers may choose the same key.
  actor_id text NOT NULL,
  key text NOT NULL,
  -- SHA-256 of method, path, query and body.
  request_hash text NOT NULL,
  begun_at timestamptz NOT NULL,
  -- Whose answer counts: each begin has its own. Another begin takes over an unanswered request after held_until.
  holder uuid NOT NULL,
  -- Moved on by the process in which the request runs, until it has an answer.
  held_until timestamptz NOT NULL,
  -- Null: the request still runs, or its process ended.
  status integer,
  etag text,
  body jsonb,
  -- Whether the body was left out because it holds a secret.
  is_secret boolean NOT NULL DEFAULT false,
  PRIMARY KEY (actor_id, key)
);

CREATE INDEX requests_begun ON manage.requests (begun_at);
