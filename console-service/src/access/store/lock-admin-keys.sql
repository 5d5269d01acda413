-- Locks the valid keys of administrators, always in the same order. Of two transactions that each revoke one of the last two,
-- the second reads what the first has left. No parameters.
SELECT id FROM access.keys WHERE role = 'admin' AND revoked_at IS NULL ORDER BY id FOR UPDATE;
