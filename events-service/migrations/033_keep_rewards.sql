-- Accepted rewards that console-service has not stored yet, and reports to the apps. A row is made in the transaction that
-- accepts the reward, and goes when console-service confirms it. Test rewards are reported too.
CREATE TABLE events.accepted_reward (
  request_id text PRIMARY KEY,
  publisher_id text NOT NULL,
  app_id text NOT NULL,
  placement text NOT NULL,
  is_test boolean NOT NULL,
  accepted_at timestamptz NOT NULL
);
-- The order in which they are taken.
CREATE INDEX accepted_reward_order ON events.accepted_reward (accepted_at, request_id);

-- In the database and not in the service's statement, as the leases are: while two releases run side by side, the rewards
-- that both accept are reported.
CREATE FUNCTION events.keep_rewards() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events.accepted_reward (request_id, publisher_id, app_id, placement, is_test, accepted_at)
  SELECT request_id, publisher_id, app_id, placement, is_test, arrived_at
  FROM added
  WHERE type = 'reward' AND verdict = 'accepted' AND completion
  ORDER BY request_id COLLATE "C"
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER rewards_are_kept AFTER INSERT ON events.event
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION events.keep_rewards();
