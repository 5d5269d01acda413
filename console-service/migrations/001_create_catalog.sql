-- The catalog: one row per object of whatever kind, so that reading "everything behind version N" is one index range,
-- an apply of 100,000 campaigns is one statement, and a removed object leaves its tombstone where the object stood. What
-- a field may hold is decided in one place, src/domain/kinds.ts.
CREATE SCHEMA IF NOT EXISTS catalog;

-- Totally orders all changes: whoever changes the catalog locks this row first and raises it by one.
CREATE TABLE catalog.counter (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  version bigint NOT NULL
);

CREATE TABLE catalog.objects (
  kind text NOT NULL
    CHECK (kind IN ('global', 'publisher', 'app', 'placement', 'advertiser', 'campaign', 'creative')),
  -- The file's id; of a placement `<app id>/<code>`.
  id text NOT NULL,
  parent_kind text,
  parent_id text,
  -- Field of the file → value in its one spelling; amounts are decimal texts, never floats.
  fields jsonb NOT NULL,
  -- The change that wrote this row last.
  version bigint NOT NULL,
  removed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (kind, id),
  FOREIGN KEY (parent_kind, parent_id) REFERENCES catalog.objects (kind, id),
  CHECK ((parent_kind IS NULL) = (parent_id IS NULL)),
  CHECK ((parent_id IS NULL) = (kind IN ('global', 'publisher', 'advertiser'))),
  -- Deferred, so that two apps may exchange their keys in one apply.
  CONSTRAINT objects_app_key_unique
    EXCLUDE USING btree ((fields ->> 'app_key') WITH =)
    WHERE (kind = 'app' AND NOT removed)
    DEFERRABLE INITIALLY DEFERRED
);

CREATE INDEX objects_version ON catalog.objects (version);
CREATE INDEX objects_parent ON catalog.objects (parent_kind, parent_id);

-- Version 1 is the empty catalog: no reader ever holds 0 once it has been told anything.
INSERT INTO catalog.counter (version) VALUES (1);
INSERT INTO catalog.objects (kind, id, fields, version)
VALUES ('global', 'global', '{"serving_enabled": true}', 1);
