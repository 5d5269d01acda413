-- Locks the catalog against other changes until the transaction ends, and reads its version. No parameters.
SELECT version FROM catalog.counter FOR UPDATE;
