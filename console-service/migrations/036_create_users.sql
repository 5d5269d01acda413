-- Users of the web console, their sessions, and what bounds their logins.
CREATE TABLE access.users (
  -- `usr_` and 16 hex digits.
  id text PRIMARY KEY,
  name text NOT NULL,
  -- The name in lower case: what a login is looked up by.
  name_key text NOT NULL,
  -- As in access.keys.
  role text NOT NULL,
  -- argon2id, in its own text form with parameters and salt.
  password_hash text NOT NULL,
  -- Null: no second factor. It must be readable, since codes are computed from it.
  totp_secret bytea,
  -- False: the user has not yet proved that the secret arrived, so it is not asked for.
  is_totp_confirmed boolean NOT NULL DEFAULT false,
  -- The time step of the last code that was accepted. No code of this step or an earlier one is accepted again.
  totp_step bigint,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  -- Null: the user may log in. A removed user keeps its row, so that the audit has its name.
  removed_at timestamptz
);

CREATE UNIQUE INDEX users_name ON access.users (name_key) WHERE removed_at IS NULL;

CREATE TABLE access.recovery_codes (
  user_id text NOT NULL REFERENCES access.users (id),
  -- SHA-256 of a code of 80 unpredictable bits.
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (user_id, hash)
);

CREATE TABLE access.sessions (
  -- SHA-256 of the session's token, which has 256 unpredictable bits.
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  user_id text NOT NULL REFERENCES access.users (id),
  created_at timestamptz NOT NULL,
  -- To one minute.
  last_used_at timestamptz NOT NULL
);

CREATE INDEX sessions_user ON access.sessions (user_id);
CREATE INDEX sessions_age ON access.sessions (created_at);

CREATE TABLE access.login_attempts (
  -- SHA-256 of the name in lower case, so that a row has the same size whatever is sent.
  name_hash bytea NOT NULL CHECK (octet_length(name_hash) = 32),
  begun_at timestamptz NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (name_hash, begun_at)
);

CREATE INDEX login_attempts_age ON access.login_attempts (begun_at);
