-- The suspicious-event log: every rejected event whose token could be read, and every package mismatch. It holds no
-- address and no token. Kept for a limited time and up to a limited count (src/usecase/prune-suspicious-events.ts).
CREATE TABLE fraud.suspicious_events (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at         timestamptz NOT NULL,
  rule       text NOT NULL,
  event      text NOT NULL,
  app_id     text NOT NULL,
  placement  text,
  session_id text,
  request_id text
);

-- Pruning goes by age.
CREATE INDEX suspicious_events_at ON fraud.suspicious_events (at);
