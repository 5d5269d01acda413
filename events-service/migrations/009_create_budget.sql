-- Budgets by lease: a replica of serving-service sells from slices of a campaign's budget, and each slice is a row here before
-- the first ad is sold from it. So whatever dies, these rows say how much can still come in. Amounts are nano-units.
CREATE SCHEMA budget;

-- Fills that are reported meanwhile wait for the trigger at the end, which holds them.
LOCK TABLE events.fills IN SHARE ROW EXCLUSIVE MODE;

-- One slice: the fills of one campaign in one UTC minute by one life ("run") of one replica. Its open part, granted less
-- returned less released, is money that cannot be granted again until the lease is closed.
CREATE TABLE budget.lease (
  campaign_id text NOT NULL,
  -- Whole minutes since 1970, of the fills.
  minute int8 NOT NULL,
  -- Empty: open fills of a release without leases.
  run text NOT NULL,
  advertiser_id text NOT NULL,
  granted_nanos int8 NOT NULL CHECK (granted_nanos >= 0),
  -- What the replica will never fill.
  returned_nanos int8 NOT NULL DEFAULT 0 CHECK (returned_nanos >= 0),
  -- The price of its fills, as the replica last reported it.
  filled_nanos int8 NOT NULL DEFAULT 0,
  -- Of judged impressions, in the transaction that stores them.
  accepted_nanos int8 NOT NULL DEFAULT 0,
  suspicious_nanos int8 NOT NULL DEFAULT 0,
  -- Of accepted impressions: those that came in the second minute after the fill's or later.
  late_nanos int8 NOT NULL DEFAULT 0,
  -- Of suspicious impressions: what the sums have back already.
  released_nanos int8 NOT NULL DEFAULT 0,
  -- When the last ad of the minute is over.
  expires_at timestamptz NOT NULL,
  is_ended boolean NOT NULL DEFAULT false,
  -- From then on the lease takes no impression and counts in no open sum.
  closed_at timestamptz,
  PRIMARY KEY (campaign_id, minute, run)
) WITH (fillfactor = 60);
CREATE INDEX lease_open ON budget.lease (campaign_id, minute) WHERE closed_at IS NULL;
CREATE INDEX lease_due ON budget.lease (expires_at) WHERE closed_at IS NULL;
CREATE INDEX lease_closed ON budget.lease (closed_at) WHERE closed_at IS NOT NULL;

-- Sums of leases: `open` of those that are not closed, `closed` what was accepted of those that are. Free is a limit less both.
-- Only grants, returns, releases and closings change them. They lock the rows of one transaction in one order: advertisers,
-- campaigns, days, leases; each by its key in the collation "C".
CREATE TABLE budget.advertiser (
  advertiser_id text PRIMARY KEY,
  open_nanos numeric(38, 0) NOT NULL DEFAULT 0,
  closed_nanos numeric(38, 0) NOT NULL DEFAULT 0
) WITH (fillfactor = 60);

CREATE TABLE budget.campaign (
  advertiser_id text NOT NULL,
  campaign_id text NOT NULL,
  open_nanos numeric(38, 0) NOT NULL DEFAULT 0,
  closed_nanos numeric(38, 0) NOT NULL DEFAULT 0,
  -- What became of the fills of closed leases, for the pace; each day halves what was before it.
  shown_nanos float8 NOT NULL DEFAULT 0,
  unshown_nanos float8 NOT NULL DEFAULT 0,
  late_nanos float8 NOT NULL DEFAULT 0,
  -- The day of the last fills that were learned from.
  learned_day date,
  PRIMARY KEY (advertiser_id, campaign_id)
) WITH (fillfactor = 60);

CREATE TABLE budget.campaign_day (
  advertiser_id text NOT NULL,
  campaign_id text NOT NULL,
  -- UTC day of the fills.
  day date NOT NULL,
  open_nanos numeric(38, 0) NOT NULL DEFAULT 0,
  closed_nanos numeric(38, 0) NOT NULL DEFAULT 0,
  -- Where the plan of a paced campaign begins: since when, with what spent, for which daily budget. NULL: no plan yet.
  anchor_at timestamptz,
  anchor_spent_nanos int8,
  anchor_budget_nanos int8,
  PRIMARY KEY (advertiser_id, campaign_id, day)
) WITH (fillfactor = 60);

-- The lives of replicas that exchange leases, and when each was last seen.
CREATE TABLE budget.replica (
  run text PRIMARY KEY,
  seen_at timestamptz NOT NULL
) WITH (fillfactor = 60);

-- Which lease pays for an impression; with campaign and fill_minute it is the lease's key.
ALTER TABLE events.event ADD COLUMN lease_run text NOT NULL DEFAULT '';

-- In the database and not in the service's statement, as the count of accepted impressions is: while two releases run side by
-- side, the impressions of both are counted.
CREATE FUNCTION budget.count_judged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE budget.lease
  SET
    accepted_nanos = lease.accepted_nanos + judged.accepted_nanos,
    suspicious_nanos = lease.suspicious_nanos + judged.suspicious_nanos,
    late_nanos = lease.late_nanos + judged.late_nanos
  FROM (
    SELECT
      campaign_id, fill_minute, lease_run,
      coalesce(sum(cost_nanos) FILTER (WHERE verdict = 'accepted'), 0) AS accepted_nanos,
      coalesce(sum(cost_nanos) FILTER (WHERE verdict = 'suspicious'), 0) AS suspicious_nanos,
      coalesce(
        sum(cost_nanos) FILTER (
          WHERE verdict = 'accepted' AND extract(epoch FROM arrived_at) >= (fill_minute + 2) * 60
        ), 0
      ) AS late_nanos
    FROM added
    WHERE type = 'impression' AND NOT is_test
    GROUP BY campaign_id, fill_minute, lease_run
  ) AS judged
  WHERE lease.campaign_id = judged.campaign_id
    AND lease.minute = judged.fill_minute
    AND lease.run = judged.lease_run
    AND lease.closed_at IS NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER judged_is_counted AFTER INSERT ON events.event
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION budget.count_judged();

-- What the release before holds: its reported fills that are not over become leases without a run, closed as all others are.
INSERT INTO budget.lease (
  campaign_id, minute, run, advertiser_id, granted_nanos, filled_nanos, accepted_nanos, suspicious_nanos, released_nanos,
  expires_at, is_ended
)
SELECT
  fills.campaign_id, fills.minute, '', fills.advertiser_id,
  greatest(fills.reserved_nanos + fills.found_nanos, judged.accepted_nanos + judged.suspicious_nanos),
  greatest(fills.reserved_nanos + fills.found_nanos, judged.accepted_nanos + judged.suspicious_nanos),
  judged.accepted_nanos, judged.suspicious_nanos, judged.suspicious_nanos,
  fills.expires_at, true
FROM events.fills
CROSS JOIN LATERAL (
  SELECT
    coalesce(sum(event.cost_nanos) FILTER (WHERE event.verdict = 'accepted'), 0) AS accepted_nanos,
    coalesce(sum(event.cost_nanos) FILTER (WHERE event.verdict = 'suspicious'), 0) AS suspicious_nanos
  FROM events.event
  WHERE event.day = date '1970-01-01' + (fills.minute / 1440)::int
    AND event.campaign_id = fills.campaign_id
    AND event.fill_minute = fills.minute
    AND event.type = 'impression' AND NOT event.is_test
) AS judged
WHERE fills.expires_at > now() - interval '60 seconds';

-- All accepted spend of before, settled or waiting, is closed but for what those leases still hold open.
INSERT INTO budget.campaign_day (advertiser_id, campaign_id, day, open_nanos, closed_nanos)
SELECT advertiser_id, campaign_id, day, sum(open_nanos), sum(spent_nanos) - sum(accepted_nanos)
FROM (
  SELECT advertiser_id, campaign_id, day, 0::numeric AS open_nanos, 0::numeric AS accepted_nanos, spend_nanos AS spent_nanos
  FROM stats.campaign_day
  UNION ALL
  SELECT advertiser_id, campaign_id, day, 0, 0, cost_nanos
  FROM events.event
  WHERE settled_at IS NULL AND type = 'impression'
  UNION ALL
  SELECT
    advertiser_id, campaign_id, date '1970-01-01' + (minute / 1440)::int, granted_nanos - released_nanos, accepted_nanos, 0
  FROM budget.lease
) AS part
GROUP BY advertiser_id, campaign_id, day;

INSERT INTO budget.campaign (advertiser_id, campaign_id, open_nanos, closed_nanos)
SELECT advertiser_id, campaign_id, sum(open_nanos), sum(closed_nanos)
FROM budget.campaign_day GROUP BY advertiser_id, campaign_id;

INSERT INTO budget.advertiser (advertiser_id, open_nanos, closed_nanos)
SELECT advertiser_id, sum(open_nanos), sum(closed_nanos)
FROM budget.campaign GROUP BY advertiser_id;

-- A serving-service of the release before that still runs reports its fills into events.fills: they are held here too. Its
-- impressions may have been stored before its report came: a new lease begins with them.
CREATE FUNCTION budget.hold_reported_fills() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fills_day date := date '1970-01-01' + (NEW.minute / 1440)::int;
  accepted int8;
  suspicious int8;
  more numeric := NEW.reserved_nanos + NEW.found_nanos;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    more := more - OLD.reserved_nanos - OLD.found_nanos;
  END IF;
  IF more <= 0 THEN
    RETURN NULL;
  END IF;
  SELECT
    coalesce(sum(cost_nanos) FILTER (WHERE verdict = 'accepted'), 0),
    coalesce(sum(cost_nanos) FILTER (WHERE verdict = 'suspicious'), 0)
  INTO accepted, suspicious
  FROM events.event
  WHERE day = fills_day AND campaign_id = NEW.campaign_id AND fill_minute = NEW.minute AND lease_run = ''
    AND type = 'impression' AND NOT is_test;
  -- A closing locks the sums first. What it has closed takes no more: nobody would close it again.
  PERFORM FROM budget.advertiser WHERE advertiser_id = NEW.advertiser_id FOR NO KEY UPDATE;
  IF EXISTS (
    SELECT FROM budget.lease
    WHERE campaign_id = NEW.campaign_id AND minute = NEW.minute AND run = '' AND closed_at IS NOT NULL
  ) THEN
    RETURN NULL;
  END IF;
  INSERT INTO budget.advertiser AS stored (advertiser_id, open_nanos) VALUES (NEW.advertiser_id, more)
  ON CONFLICT (advertiser_id) DO UPDATE SET open_nanos = stored.open_nanos + more;
  INSERT INTO budget.campaign AS stored (advertiser_id, campaign_id, open_nanos)
  VALUES (NEW.advertiser_id, NEW.campaign_id, more)
  ON CONFLICT (advertiser_id, campaign_id) DO UPDATE SET open_nanos = stored.open_nanos + more;
  INSERT INTO budget.campaign_day AS stored (advertiser_id, campaign_id, day, open_nanos)
  VALUES (NEW.advertiser_id, NEW.campaign_id, fills_day, more)
  ON CONFLICT (advertiser_id, campaign_id, day) DO UPDATE SET open_nanos = stored.open_nanos + more;
  INSERT INTO budget.lease AS stored (
    campaign_id, minute, run, advertiser_id, granted_nanos, filled_nanos, accepted_nanos, suspicious_nanos, expires_at,
    is_ended
  )
  VALUES (
    NEW.campaign_id, NEW.minute, '', NEW.advertiser_id, more, more, accepted, suspicious, NEW.expires_at, true
  )
  ON CONFLICT (campaign_id, minute, run) DO UPDATE
  SET
    granted_nanos = stored.granted_nanos + more,
    filled_nanos = stored.filled_nanos + more,
    expires_at = greatest(stored.expires_at, excluded.expires_at);
  RETURN NULL;
END $$;

CREATE TRIGGER reported_fills_are_held AFTER INSERT OR UPDATE ON events.fills
  FOR EACH ROW EXECUTE FUNCTION budget.hold_reported_fills();
