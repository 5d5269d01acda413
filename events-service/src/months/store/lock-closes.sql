-- Waits for bookings under way. Until the end of the transaction, later bookings and other closes wait. No parameters.
SELECT pg_advisory_xact_lock(hashtext('ledger'), hashtext('close of a month'))
