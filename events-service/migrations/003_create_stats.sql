-- What happened, counted per hour (UTC): reports read only these. Test traffic is in none of them. An unknown value is
-- an empty text, so that it can stand in a primary key. One table per source: no two kinds of writer meet on a row.
CREATE SCHEMA stats;

-- Live ad requests that reached a placement, as serving-service reports them; an empty reason is a fill.
CREATE TABLE stats.request_hour (
  hour timestamptz NOT NULL,
  publisher_id text NOT NULL,
  app_id text NOT NULL,
  placement text NOT NULL,
  format text NOT NULL,
  country text NOT NULL,
  no_fill_reason text NOT NULL,
  requests int8 NOT NULL,
  PRIMARY KEY (hour, publisher_id, app_id, placement, format, country, no_fill_reason)
);

-- Fills by what was shown, as serving-service reports them.
CREATE TABLE stats.fill_hour (
  hour timestamptz NOT NULL,
  publisher_id text NOT NULL,
  app_id text NOT NULL,
  placement text NOT NULL,
  format text NOT NULL,
  country text NOT NULL,
  advertiser_id text NOT NULL,
  campaign_id text NOT NULL,
  creative_id text NOT NULL,
  fills int8 NOT NULL,
  PRIMARY KEY (hour, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id)
);

-- Accepted impressions, clicks and completed rewards by the hour of the event, with the money that was booked for them:
-- written by the settlement, in the transaction of the ledger entries.
CREATE TABLE stats.event_hour (
  hour timestamptz NOT NULL,
  publisher_id text NOT NULL,
  app_id text NOT NULL,
  placement text NOT NULL,
  format text NOT NULL,
  country text NOT NULL,
  advertiser_id text NOT NULL,
  campaign_id text NOT NULL,
  creative_id text NOT NULL,
  impressions int8 NOT NULL,
  clicks int8 NOT NULL,
  rewards int8 NOT NULL,
  spend_nanos numeric(38, 0) NOT NULL,
  revenue_nanos numeric(38, 0) NOT NULL,
  PRIMARY KEY (hour, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id)
);

-- Fallbacks that clients reported, by the settlement.
CREATE TABLE stats.fallback_hour (
  hour timestamptz NOT NULL,
  publisher_id text NOT NULL,
  app_id text NOT NULL,
  placement text NOT NULL,
  format text NOT NULL,
  reason text NOT NULL,
  fallbacks int8 NOT NULL,
  PRIMARY KEY (hour, publisher_id, app_id, placement, format, reason)
);

-- Rejected events by reason. Where the token could not be read, everything but hour and reason is an empty text.
CREATE TABLE stats.rejection_hour (
  hour timestamptz NOT NULL,
  publisher_id text NOT NULL,
  app_id text NOT NULL,
  placement text NOT NULL,
  format text NOT NULL,
  country text NOT NULL,
  advertiser_id text NOT NULL,
  campaign_id text NOT NULL,
  creative_id text NOT NULL,
  reason text NOT NULL,
  rejections int8 NOT NULL,
  PRIMARY KEY (hour, publisher_id, app_id, placement, format, country, advertiser_id, campaign_id, creative_id, reason)
);

-- Settled spend per campaign and UTC day of the ad request: with the impressions that still wait for settlement it is
-- the truth about budgets. Written by the settlement.
CREATE TABLE stats.campaign_day (
  advertiser_id text NOT NULL,
  campaign_id text NOT NULL,
  day date NOT NULL,
  impressions int8 NOT NULL,
  spend_nanos numeric(38, 0) NOT NULL,
  PRIMARY KEY (advertiser_id, campaign_id, day)
);
