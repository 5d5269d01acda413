-- Reads the kinds of account owners that have or had an id in the catalog.
-- $1 text   id
SELECT kind FROM catalog.objects WHERE id = $1 AND kind IN ('advertiser', 'publisher') ORDER BY kind;
