-- The advertisers, campaigns and creatives of the catalog with the ids of their parents, down to one level.
-- $1 text     level: advertiser, campaign or creative
-- $2 text[]   advertiser ids, or null: all
-- $3 text[]   campaign ids, or null: all
SELECT owner.id AS advertiser, campaign.id AS campaign, creative.id AS creative
FROM catalog.objects AS owner
LEFT JOIN catalog.objects AS campaign
  ON $1 <> 'advertiser' AND campaign.kind = 'campaign' AND campaign.parent_kind = 'advertiser'
  AND campaign.parent_id = owner.id AND NOT campaign.removed
LEFT JOIN catalog.objects AS creative
  ON $1 = 'creative' AND creative.kind = 'creative' AND creative.parent_kind = 'campaign'
  AND creative.parent_id = campaign.id AND NOT creative.removed
WHERE owner.kind = 'advertiser' AND NOT owner.removed
  AND ($2::text[] IS NULL OR owner.id = ANY ($2))
  AND ($3::text[] IS NULL OR campaign.id = ANY ($3))
  AND ($1 = 'advertiser' OR campaign.id IS NOT NULL)
  AND ($1 <> 'creative' OR creative.id IS NOT NULL);
