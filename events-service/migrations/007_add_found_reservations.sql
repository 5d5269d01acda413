-- What serving-service's counters held of a campaign-minute beyond its reported fills: fills of a replica that died before
-- it could report them. Never in reports, which cannot know what was shown where.
ALTER TABLE events.fills ADD COLUMN found_nanos numeric(38, 0) NOT NULL DEFAULT 0;
