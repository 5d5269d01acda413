-- Ends the wait of rows of one day that this transaction holds. Their places in the partition find them at once; a join by
-- their keys is planned as a reading of the whole partition while its statistics are those of the morning.
-- $1 day date  $2 places tid[]
UPDATE events.event
SET settled_at = now()
WHERE day = $1 AND ctid = ANY ($2::tid[])
