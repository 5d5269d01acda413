-- Sets the new version of owners whose funds changed, so that readers receive them.
-- $1 bigint   version
-- $2 text     kind: advertiser or publisher
-- $3 text[]   ids
UPDATE catalog.objects SET version = $1::bigint WHERE kind = $2 AND id = ANY ($3::text[]);
