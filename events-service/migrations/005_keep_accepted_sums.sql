-- How many impressions of each partition were ever accepted, and what they cost: kept in the transaction that stores the
-- events, so that a lost row shows at once, and a dropped partition is still accounted for. One row per day and slot,
-- since a single one would make all groups wait for each other.
CREATE TABLE events.accepted_day (
  day date NOT NULL,
  slot int2 NOT NULL,
  impressions int8 NOT NULL,
  cost_nanos numeric(38, 0) NOT NULL,
  PRIMARY KEY (day, slot)
) WITH (fillfactor = 50);

CREATE FUNCTION events.count_accepted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events.accepted_day AS stored (day, slot, impressions, cost_nanos)
  SELECT day, pg_backend_pid() % 64, count(*), sum(cost_nanos)
  FROM added
  WHERE type = 'impression' AND verdict = 'accepted' AND NOT is_test
  GROUP BY day
  ORDER BY day
  ON CONFLICT (day, slot) DO UPDATE
  SET impressions = stored.impressions + excluded.impressions, cost_nanos = stored.cost_nanos + excluded.cost_nanos;
  RETURN NULL;
END $$;

-- In the database and not in the service's statement: while two releases run side by side, both are counted.
CREATE TRIGGER accepted_is_counted AFTER INSERT ON events.event
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION events.count_accepted();

INSERT INTO events.accepted_day (day, slot, impressions, cost_nanos)
SELECT day, 0, count(*), sum(cost_nanos)
FROM events.event
WHERE type = 'impression' AND verdict = 'accepted' AND NOT is_test
GROUP BY day;

-- Partitions that the retention has dropped: their rows are gone on purpose, their day never comes back.
CREATE TABLE events.dropped_day (
  day date PRIMARY KEY,
  dropped_at timestamptz NOT NULL DEFAULT now()
);

CREATE OR REPLACE FUNCTION events.ensure_partition(wanted date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  partition_name text := 'event_' || to_char(wanted, 'YYYYMMDD');
BEGIN
  -- Read from the catalog table: to_regclass may remember from the first look that there was nothing.
  IF EXISTS (SELECT FROM pg_class WHERE relnamespace = 'events'::regnamespace AND relname = partition_name) THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('events.ensure_partition'));
  IF EXISTS (SELECT FROM pg_class WHERE relnamespace = 'events'::regnamespace AND relname = partition_name) THEN
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM events.dropped_day WHERE day = wanted) THEN
    RAISE EXCEPTION 'the events of % were dropped by the retention', wanted USING ERRCODE = 'restrict_violation';
  END IF;
  EXECUTE format('CREATE TABLE events.%I (LIKE events.event INCLUDING ALL)', partition_name);
  EXECUTE format('ALTER TABLE events.event ATTACH PARTITION events.%I FOR VALUES FROM (%L) TO (%L)',
    partition_name, wanted, wanted + 1);
END $$;

-- Drops the partition of a day: all of it or nothing. Answers false when a row of it still waits for settlement, or when it
-- is gone already. The lock that stops all other statements on the events is waited for as long as lock_wait_ms at most
-- and held for a moment.
CREATE FUNCTION events.drop_partition(wanted date, lock_wait_ms int4) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  partition_name text := 'event_' || to_char(wanted, 'YYYYMMDD');
  waits boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('events.ensure_partition'));
  IF NOT EXISTS (SELECT FROM pg_class WHERE relnamespace = 'events'::regnamespace AND relname = partition_name) THEN
    RETURN false;
  END IF;
  PERFORM set_config('lock_timeout', lock_wait_ms::text, true);
  EXECUTE format('ALTER TABLE events.event DETACH PARTITION events.%I', partition_name);
  EXECUTE format('SELECT EXISTS (SELECT FROM events.%I WHERE settled_at IS NULL)', partition_name) INTO waits;
  IF waits THEN
    EXECUTE format('ALTER TABLE events.event ATTACH PARTITION events.%I FOR VALUES FROM (%L) TO (%L)',
      partition_name, wanted, wanted + 1);
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE events.%I', partition_name);
  INSERT INTO events.dropped_day (day) VALUES (wanted);
  RETURN true;
END $$;
