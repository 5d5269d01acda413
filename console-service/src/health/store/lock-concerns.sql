-- Waits until no other console-service compares concerns, and keeps others waiting until the transaction ends. No parameters.
SELECT pg_advisory_xact_lock(hashtext('health'), hashtext('concerns'))
