-- Reads the version of the last change. No parameters.
SELECT version FROM catalog.counter;
