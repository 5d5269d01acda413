-- People and keys of the management API.
CREATE SCHEMA IF NOT EXISTS access;

CREATE TABLE access.keys (
  -- `key_` and 16 hex digits.
  id text PRIMARY KEY,
  name text NOT NULL,
  -- admin, adops, finance, readonly, publisher:ID or advertiser:ID.
  role text NOT NULL,
  -- SHA-256 of the key's text. The text has 256 unpredictable bits, so no slow hash is needed. The text is not stored.
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  -- Null: never used. Otherwise some call of the following ten minutes used it.
  last_used_at timestamptz,
  -- Null: valid. A revoked key keeps its row, so that its id is never used again.
  revoked_at timestamptz
);

-- Changes of people and keys, and refusals of known ones. Changes of the catalog and of money are in audit.changes.
CREATE TABLE audit.access (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  -- What was changed, or the operation that was refused.
  subject text NOT NULL,
  detail jsonb NOT NULL
);

CREATE INDEX access_at ON audit.access (at);

CREATE TRIGGER access_is_immutable BEFORE UPDATE OR DELETE ON audit.access
  FOR EACH ROW EXECUTE FUNCTION audit.refuse_change();
CREATE TRIGGER access_is_kept BEFORE TRUNCATE ON audit.access
  FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse_change();

REVOKE UPDATE, DELETE, TRUNCATE ON audit.access FROM CURRENT_USER;
