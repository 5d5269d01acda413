-- Statistics on what lists of objects are filtered by; Postgres fills them when it next analyzes the table. It does not use
-- those of the partial indexes to count rows. So it looked up a name with which many campaigns begin in its index and sorted
-- all of them, instead of meeting some of them soon in the order of the ids. It has no parameters.
CREATE STATISTICS IF NOT EXISTS catalog.objects_name_text ON (lower(fields ->> 'name')) FROM catalog.objects;
CREATE STATISTICS IF NOT EXISTS catalog.objects_status_text ON (fields ->> 'status') FROM catalog.objects;
CREATE STATISTICS IF NOT EXISTS catalog.objects_approved_text ON (fields ->> 'approved') FROM catalog.objects;
