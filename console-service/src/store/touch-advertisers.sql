-- Gives advertisers whose funds changed the new version, so that readers hear of it.
-- $1 bigint   version
-- $2 text[]   advertiser ids
UPDATE catalog.objects SET version = $1::bigint WHERE kind = 'advertiser' AND id = ANY ($2::text[]);
