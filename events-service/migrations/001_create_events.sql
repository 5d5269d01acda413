-- What clients reported and was judged: one row per request id and event type, which is finality, de-duplication and
-- outbox in one. Partitioned by the UTC day of the fill, which every token carries, so that the same event always
-- meets the same partition. A row with settled_at NULL waits for the settlement worker; suspicious and test rows are
-- born settled, since they move no money and stand in no report.
CREATE TABLE events.event (
  day date NOT NULL,
  request_id text NOT NULL,
  type text NOT NULL CHECK (type IN ('impression', 'click', 'reward', 'fallback')),
  verdict text NOT NULL CHECK (verdict IN ('accepted', 'suspicious')),
  -- The fraud rule that a suspicious event broke.
  rule text,
  is_test boolean NOT NULL,
  arrived_at timestamptz NOT NULL,
  -- Whole minutes since 1970 of the fill; NULL for a fallback, as are the three ids of what was shown.
  fill_minute int8,
  session_id text NOT NULL,
  publisher_id text NOT NULL,
  app_id text NOT NULL,
  placement text NOT NULL,
  format text NOT NULL CHECK (format IN ('banner', 'interstitial', 'rewarded')),
  -- NULL: not known.
  country text,
  advertiser_id text,
  campaign_id text,
  creative_id text,
  -- Of an impression as its token said at the fill, also when it is suspicious; 0 for every other row.
  cost_nanos int8 NOT NULL CHECK (cost_nanos >= 0),
  publisher_nanos int8 NOT NULL CHECK (publisher_nanos BETWEEN 0 AND cost_nanos),
  -- Of a reward only.
  completion boolean,
  -- Of a fallback only.
  fallback_reason text CHECK (fallback_reason IN ('no_fill', 'timeout', 'error', 'creative_failed')),
  settled_at timestamptz,
  PRIMARY KEY (day, request_id, type),
  CHECK (cost_nanos = 0 OR (type = 'impression' AND NOT is_test)),
  CHECK (type = 'fallback'
    OR (fill_minute IS NOT NULL AND advertiser_id IS NOT NULL AND campaign_id IS NOT NULL AND creative_id IS NOT NULL)),
  CHECK ((type = 'reward') = (completion IS NOT NULL)),
  CHECK ((type = 'fallback') = (fallback_reason IS NOT NULL)),
  CHECK (settled_at IS NOT NULL OR (verdict = 'accepted' AND NOT is_test))
) PARTITION BY RANGE (day);

-- The outbox, in the one order in which every worker takes rows.
CREATE INDEX event_waiting ON events.event (day, request_id, type) WHERE settled_at IS NULL;

-- Accepted sums of campaign-minutes, and what suspicious impressions gave back.
CREATE INDEX event_campaign_minute ON events.event (campaign_id, fill_minute) INCLUDE (verdict, cost_nanos)
  WHERE type = 'impression' AND NOT is_test;

-- Makes the partition of a day if it is missing. Several callers at once wait for each other. The table is made apart
-- and attached, which, unlike CREATE … PARTITION OF, lets readers and writers of the other partitions go on.
CREATE FUNCTION events.ensure_partition(wanted date) RETURNS void LANGUAGE plpgsql AS $$
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
  EXECUTE format('CREATE TABLE events.%I (LIKE events.event INCLUDING ALL)', partition_name);
  EXECUTE format('ALTER TABLE events.event ATTACH PARTITION events.%I FOR VALUES FROM (%L) TO (%L)',
    partition_name, wanted, wanted + 1);
END $$;

-- What serving-service reported as filled, per campaign and minute of the fill: with the accepted impressions it is the
-- truth about open reservations. Kept for hours.
CREATE TABLE events.fills (
  advertiser_id text NOT NULL,
  campaign_id text NOT NULL,
  minute int8 NOT NULL,
  fills int8 NOT NULL,
  reserved_nanos numeric(38, 0) NOT NULL,
  -- When the last of these fills is over.
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (campaign_id, minute)
);
CREATE INDEX fills_of_advertiser ON events.fills (advertiser_id, expires_at);
CREATE INDEX fills_expires_at ON events.fills (expires_at);

-- Which counts of which process have been applied: each report counts once, however often it is sent. Kept for days.
CREATE TABLE events.reports_applied (
  reporter_id text NOT NULL,
  sequence int8 NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (reporter_id, sequence)
);
CREATE INDEX reports_applied_at ON events.reports_applied (applied_at);
