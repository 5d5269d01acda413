-- The balance of every account, and zero for named accounts without entries.
-- $1 advertiser_ids text[]  $2 publisher_ids text[]
SELECT kind, id, sum(balance_nanos) AS balance_nanos
FROM (
  SELECT kind, id, balance_nanos FROM ledger.account
  UNION ALL SELECT 'advertiser', id, 0 FROM unnest($1::text[]) AS id
  UNION ALL SELECT 'publisher', id, 0 FROM unnest($2::text[]) AS id
  UNION ALL VALUES ('platform', 'platform', 0), ('deposits', 'deposits', 0), ('payouts', 'payouts', 0)
) AS account
GROUP BY kind, id
ORDER BY array_position(ARRAY['advertiser', 'publisher', 'platform', 'deposits', 'payouts'], kind), id COLLATE "C"
