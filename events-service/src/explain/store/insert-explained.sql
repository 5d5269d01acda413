-- Keeps explanations of requests. The first one of a request id stays.
-- $1 request_id text[]  $2 at_ms float8[]  $3 explanation bytea[]
INSERT INTO stats.explained_request (request_id, at, explanation)
SELECT request_id, to_timestamp(at_ms / 1000), explanation
FROM unnest($1::text[], $2::float8[], $3::bytea[]) AS kept (request_id, at_ms, explanation)
ORDER BY request_id COLLATE "C"
ON CONFLICT (request_id) DO NOTHING
