-- An impression of a release without leases is counted in its lease by whichever comes second: its insert, or the report of
-- its fill, which makes the lease. Side by side, neither saw the other, and the impression was in no budget. Now a report
-- waits for inserts under way, and inserts wait for reports. One lock serves all of them; only impressions and reports of
-- such a release ever wait for it.
CREATE OR REPLACE FUNCTION budget.count_judged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added WHERE lease_run = '' AND type = 'impression' AND NOT is_test) THEN
    PERFORM pg_advisory_xact_lock_shared(hashtext('budget'), hashtext('fills of a release without leases'));
  END IF;
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

CREATE OR REPLACE FUNCTION budget.hold_reported_fills() RETURNS trigger LANGUAGE plpgsql AS $$
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
  PERFORM pg_advisory_xact_lock(hashtext('budget'), hashtext('fills of a release without leases'));
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
