-- Counts all suspicious events, with and without an entry, by the keys of the report, which are rule and app.
-- $1 from_ms float8  $2 to_ms float8: half-open  $3 rule text or null  $4 app_id text or null; the columns of the keys stand
-- where /*keys*/ stands
SELECT ARRAY[/*keys*/]::text[] AS keys, sum(events) AS events
FROM fraud.suspicious_hour
WHERE hour >= to_timestamp($1::float8 / 1000) AND hour < to_timestamp($2::float8 / 1000)
  AND ($3::text IS NULL OR rule = $3) AND ($4::text IS NULL OR app_id = $4)
GROUP BY 1
