-- Makes room for the curves of a new day. No parameters.
DELETE FROM stats.traffic_curve
