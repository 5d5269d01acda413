-- Why campaigns lose ad requests, as serving-service finds it after the answers.

-- Lost requests by campaign, hour and step. `requests` is what the looked-at requests (`samples`) stand for. `rival` is the
-- campaign that outbid it; empty: another step, or a campaign that is not named. Rows are kept for some weeks.
CREATE TABLE stats.loss_hour (
  campaign_id text NOT NULL,
  hour timestamptz NOT NULL,
  step text NOT NULL,
  rival text NOT NULL,
  requests int8 NOT NULL,
  samples int8 NOT NULL,
  PRIMARY KEY (campaign_id, hour, step, rival)
);
-- For the pruning. Rows arrive in the order of their hours, so a small index suffices.
CREATE INDEX loss_hour_hour ON stats.loss_hour USING brin (hour) WITH (pages_per_range = 32);

-- Explanations of single requests: a sample, and all requests of marked apps. They are kept for some days.
CREATE TABLE stats.explained_request (
  request_id text PRIMARY KEY,
  at timestamptz NOT NULL,
  -- A message placard.explain.v1.ExplainedRequest.
  explanation bytea NOT NULL
);
CREATE INDEX explained_request_at ON stats.explained_request USING brin (at) WITH (pages_per_range = 32);
