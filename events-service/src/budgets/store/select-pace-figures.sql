-- Sums over the open leases of a campaign's day, for pacing: accepted so far; open and unshown in this minute, the one
-- before and later ones (a replica's clock may be ahead); open in this minute alone.
-- $1 advertiser_id text[]  $2 campaign_id text[]  $3 minute int8[]
SELECT
  asked.advertiser_id, asked.campaign_id, asked.minute, held.accepted_nanos, held.fresh_nanos, held.minute_nanos
FROM unnest($1::text[], $2::text[], $3::int8[]) AS asked (advertiser_id, campaign_id, minute)
CROSS JOIN LATERAL (
  SELECT
    coalesce(sum(lease.accepted_nanos), 0) AS accepted_nanos,
    coalesce(
      sum(lease.granted_nanos - lease.returned_nanos - lease.released_nanos - lease.accepted_nanos)
        FILTER (WHERE lease.minute >= asked.minute - 1), 0
    ) AS fresh_nanos,
    coalesce(
      sum(lease.granted_nanos - lease.returned_nanos - lease.released_nanos) FILTER (WHERE lease.minute = asked.minute), 0
    ) AS minute_nanos
  FROM budget.lease
  WHERE lease.campaign_id = asked.campaign_id
    AND lease.advertiser_id = asked.advertiser_id
    AND lease.closed_at IS NULL
    AND lease.minute >= asked.minute / 1440 * 1440
    AND lease.minute < (asked.minute / 1440 + 1) * 1440
) AS held
