-- Reads the deposit with a reference, or with one that looks like it and was accepted by an earlier release.
-- $1 text   normalized reference
SELECT reference, advertiser_id, amount_nanos
FROM accounts.deposits
WHERE accounts.reference_key(reference) = $1
ORDER BY reference <> $1, made_at, reference
LIMIT 1;
