-- Counts requests in sliding windows of two clock minutes, as many as pass.
-- The rules are those of ../domain/sliding-window.ts. Count and expiry are written in one step, and the next request
-- repairs a key that has lost its expiry or holds another value.
-- KEYS     the buckets, possibly the same one several times; each holds `minute:count:previousCount`
-- ARGV[1]  a JSON array, because Redis reads it several times as fast as arguments; for each bucket: now, epoch
--          milliseconds; requests per minute, at least 1; number of wanted requests, at least 1
-- Returns for each bucket: number of passing requests, minute, count, previousCount; the counts before these requests.
local MINUTE_MS = 60000
local args, answer = cjson.decode(ARGV[1]), {}
for index, key in ipairs(KEYS) do
  local at = 3 * index
  local now = args[at - 2]
  local limit = args[at - 1]
  local wanted = args[at]

  local minute = math.floor(now / MINUTE_MS)
  local count = 0
  local previous = 0

  local stored = redis.call('GET', key)
  if stored then
    local m, c, p = string.match(stored, '^(%d+):(%d+):(%d+)$')
    m = tonumber(m)
    if m and m >= minute and m <= minute + 1 then
      minute = m
      count = tonumber(c)
      previous = tonumber(p)
    elseif m == minute - 1 then
      previous = tonumber(c)
    end
  end

  local elapsed = math.max(0, now - minute * MINUTE_MS)
  local weighted = math.min(previous, limit) * (MINUTE_MS - 1 - elapsed)
  local remaining = math.ceil((limit * MINUTE_MS - weighted) / MINUTE_MS) - count
  local passing = math.max(0, math.min(wanted, remaining))

  local ttl = math.min(2 * MINUTE_MS, math.max(1, (minute + 2) * MINUTE_MS - now))
  redis.call('SET', key, string.format('%d:%d:%d', minute, count + passing, previous), 'PX', ttl)

  local first = 4 * index
  answer[first - 3] = passing
  answer[first - 2] = minute
  answer[first - 1] = count
  answer[first] = previous
end
return answer
