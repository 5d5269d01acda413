-- Concerns about delivery that have begun and not ended, the webhooks of operators, and what is sent to them.
CREATE SCHEMA health;

CREATE TABLE health.concern (
  -- Kind and subject.
  key text PRIMARY KEY,
  kind text NOT NULL,
  began_at timestamptz NOT NULL,
  -- When it was last found.
  seen_at timestamptz NOT NULL,
  -- As operators get it, when it was last found.
  last_row jsonb NOT NULL
);

CREATE TABLE health.webhook (
  id text PRIMARY KEY,
  name text NOT NULL,
  url text NOT NULL,
  created_at timestamptz NOT NULL
);

-- One message to one webhook. Its event never changes, so a repetition is the same message.
CREATE TABLE health.notice (
  id text PRIMARY KEY,
  webhook_id text NOT NULL REFERENCES health.webhook (id) ON DELETE CASCADE,
  -- JSON of what happened.
  event text NOT NULL,
  made_at timestamptz NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  -- Why the last attempt failed; null: none has failed.
  fault text,
  delivered_at timestamptz,
  -- When it was given up: a day after it was made.
  given_up_at timestamptz
);
CREATE INDEX notice_webhook ON health.notice (webhook_id, made_at);
CREATE INDEX notice_waiting ON health.notice (made_at) WHERE delivered_at IS NULL AND given_up_at IS NULL;

-- The key pairs that sign messages. The highest number signs; receivers are given the public parts of all.
CREATE TABLE health.signing_key (
  number int PRIMARY KEY,
  id text NOT NULL UNIQUE,
  private_jwk jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
