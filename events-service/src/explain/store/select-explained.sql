-- The explanation of a request.
-- $1 request_id text
SELECT explanation FROM stats.explained_request WHERE request_id = $1
