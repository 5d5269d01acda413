-- Who changed what and when; rows are only ever added.
CREATE SCHEMA IF NOT EXISTS audit;

CREATE TABLE audit.changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The catalog's version that the change made.
  version bigint NOT NULL,
  changed_at timestamptz NOT NULL,
  actor text NOT NULL,
  action text NOT NULL CHECK (action IN ('created', 'updated', 'removed', 'deposited')),
  kind text NOT NULL,
  object_id text NOT NULL,
  -- Fields before and after; null where there is no before or after. Of a deposit: its amount and reference after.
  before jsonb,
  after jsonb
);

CREATE INDEX changes_object ON audit.changes (kind, object_id, id);
