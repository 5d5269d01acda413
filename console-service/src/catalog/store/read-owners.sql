-- Reads as what an id is or was in the catalog, of those who have an account.
-- $1 text   id
SELECT kind FROM catalog.objects WHERE id = $1 AND kind IN ('advertiser', 'publisher') ORDER BY kind;
