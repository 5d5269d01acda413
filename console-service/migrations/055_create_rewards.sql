-- Callbacks of accepted rewards: what is sent to the apps, and what became of it. Kept for 30 days.
CREATE SCHEMA rewards;

CREATE TABLE rewards.callback (
  -- One reward for each rewarded ad. Ids begin with their time, so their order is that of the ads.
  request_id text COLLATE "C" PRIMARY KEY,
  publisher_id text NOT NULL,
  app_id text NOT NULL,
  placement text NOT NULL,
  -- As the placement had them when the reward was stored. Its address is read for each attempt.
  item text NOT NULL,
  amount int4 NOT NULL,
  is_test boolean NOT NULL,
  rewarded_at timestamptz NOT NULL,
  stored_at timestamptz NOT NULL,
  -- Attempts are made in rounds of a day. A replay begins the next one.
  round int4 NOT NULL DEFAULT 1,
  round_at timestamptz NOT NULL,
  round_attempts int4 NOT NULL DEFAULT 0,
  -- Of all rounds.
  attempts int4 NOT NULL DEFAULT 0,
  attempted_at timestamptz,
  -- When the next attempt is due; null: the round is over.
  next_at timestamptz,
  -- Why the last attempt failed; null: it did not.
  fault text,
  delivered_at timestamptz
);
CREATE INDEX callback_due ON rewards.callback (next_at, request_id) WHERE next_at IS NOT NULL;
CREATE INDEX callback_of_publisher ON rewards.callback (publisher_id, request_id);
CREATE INDEX callback_of_app ON rewards.callback (app_id, request_id);
CREATE INDEX callback_stored ON rewards.callback (stored_at);
