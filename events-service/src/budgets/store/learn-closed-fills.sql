-- Adds the shown and unshown fills of closed leases to their campaigns, for pacing. Each new day halves the older sums. The
-- caller holds the locks of the campaigns.
-- $1 advertiser_id text[]  $2 campaign_id text[]  $3 day date[]: the last day of the fills  $4 shown_nanos float8[]
-- $5 unshown_nanos float8[]  $6 late_nanos float8[]
UPDATE budget.campaign AS stored
SET
  shown_nanos = stored.shown_nanos * kept.share + learned.shown_nanos,
  unshown_nanos = stored.unshown_nanos * kept.share + learned.unshown_nanos,
  late_nanos = stored.late_nanos * kept.share + learned.late_nanos,
  learned_day = greatest(stored.learned_day, learned.day)
FROM unnest($1::text[], $2::text[], $3::date[], $4::float8[], $5::float8[], $6::float8[])
  AS learned (advertiser_id, campaign_id, day, shown_nanos, unshown_nanos, late_nanos)
CROSS JOIN LATERAL (
  SELECT power(0.5::float8, least(64, greatest(0, learned.day - coalesce(current.learned_day, learned.day)))) AS share
  FROM budget.campaign AS current
  WHERE current.advertiser_id = learned.advertiser_id AND current.campaign_id = learned.campaign_id
) AS kept
WHERE stored.advertiser_id = learned.advertiser_id AND stored.campaign_id = learned.campaign_id
