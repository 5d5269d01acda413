-- Writes the anchors of plans. The caller holds the locks of the days.
-- $1 advertiser_id text[]  $2 campaign_id text[]  $3 day date[]  $4 at_ms float8[]  $5 spent_nanos int8[]
-- $6 budget_nanos int8[]
UPDATE budget.campaign_day AS stored
SET
  anchor_at = to_timestamp(anchor.at_ms / 1000),
  anchor_spent_nanos = anchor.spent_nanos,
  anchor_budget_nanos = anchor.budget_nanos
FROM unnest($1::text[], $2::text[], $3::date[], $4::float8[], $5::int8[], $6::int8[])
  AS anchor (advertiser_id, campaign_id, day, at_ms, spent_nanos, budget_nanos)
WHERE stored.advertiser_id = anchor.advertiser_id AND stored.campaign_id = anchor.campaign_id AND stored.day = anchor.day
