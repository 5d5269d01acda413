-- Deletes all curves before those of a new day are stored. No parameters.
DELETE FROM stats.traffic_curve
