-- Marks rows of one day as settled. This transaction holds their locks. The rows are found by ctid: a join by key would be
-- planned as a scan of the whole partition while the statistics are from the start of the day.
-- $1 day date  $2 places tid[]
UPDATE events.event
SET settled_at = now()
WHERE day = $1 AND ctid = ANY ($2::tid[])
