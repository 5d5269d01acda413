-- Reads which advertisers have used up their balance, or will within two hours (0.0 days), as the last check of health found.
-- One that paid in since is left out.
-- $1 text[]   advertiser ids
SELECT concern.last_row ->> 'subject' AS advertiser_id
FROM health.concern AS concern
WHERE concern.kind = 'low_balance'
  AND concern.last_row ->> 'subject' = ANY ($1::text[])
  AND (concern.last_row ->> 'days_left')::numeric = 0
  AND NOT EXISTS (
    SELECT FROM accounts.deposits AS deposit
    WHERE deposit.advertiser_id = concern.last_row ->> 'subject' AND deposit.made_at > concern.seen_at
  )
  AND NOT EXISTS (
    SELECT FROM accounts.adjustments AS adjustment
    WHERE adjustment.account_kind = 'advertiser' AND adjustment.account_id = concern.last_row ->> 'subject'
      AND adjustment.made_at > concern.seen_at
  );
