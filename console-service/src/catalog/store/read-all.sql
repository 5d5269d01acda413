-- Reads every object that is not removed. No parameters.
SELECT kind, id, parent_id, fields FROM catalog.objects WHERE NOT removed;
