-- Whether the catalog has a campaign.
-- $1 text  id
SELECT EXISTS (
  SELECT FROM catalog.objects WHERE kind = 'campaign' AND id = $1 AND NOT removed
) AS has_campaign;
