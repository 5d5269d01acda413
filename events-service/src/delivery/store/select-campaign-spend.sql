-- One page of campaigns that were ever sold, with their spend. Accepted money of open leases is spend, although it is not in
-- the closed sums yet.
-- $1 day date: the day of the columns day_…  $2 after_advertiser_id text  $3 after_campaign_id text  $4 rows_max int4
-- $5 campaign_id text: this campaign alone; empty: all
WITH page AS (
  SELECT advertiser_id, campaign_id, open_nanos, closed_nanos, shown_nanos, unshown_nanos
  FROM budget.campaign
  WHERE (advertiser_id, campaign_id) > ($2::text, $3::text) AND ($5::text = '' OR campaign_id = $5::text)
  ORDER BY advertiser_id, campaign_id
  LIMIT $4
)
SELECT
  page.advertiser_id,
  page.campaign_id,
  page.closed_nanos + held.accepted_nanos AS spent_nanos,
  page.open_nanos - held.accepted_nanos AS open_nanos,
  coalesce(today.closed_nanos, 0) + held.day_accepted_nanos AS day_spent_nanos,
  coalesce(today.open_nanos, 0) - held.day_accepted_nanos AS day_open_nanos,
  today.anchor_at,
  today.anchor_spent_nanos,
  today.anchor_budget_nanos,
  page.shown_nanos,
  page.unshown_nanos
FROM page
LEFT JOIN budget.campaign_day AS today
  ON today.advertiser_id = page.advertiser_id AND today.campaign_id = page.campaign_id AND today.day = $1::date
CROSS JOIN LATERAL (
  SELECT
    coalesce(sum(lease.accepted_nanos), 0) AS accepted_nanos,
    coalesce(
      sum(lease.accepted_nanos) FILTER (WHERE lease.minute / 1440 = $1::date - date '1970-01-01'), 0
    ) AS day_accepted_nanos
  FROM budget.lease
  WHERE lease.campaign_id = page.campaign_id
    AND lease.advertiser_id = page.advertiser_id
    AND lease.closed_at IS NULL
) AS held
ORDER BY page.advertiser_id, page.campaign_id
