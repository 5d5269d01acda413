-- Uncounts one counted request that was refused for another reason.
-- KEYS[1]  the bucket; holds `minute:count:previousCount`
-- ARGV[1]  instant of the count, epoch milliseconds
-- ARGV[2]  now, epoch milliseconds
-- Returns 1 when a request was uncounted, otherwise 0.
local MINUTE_MS = 60000
local stored = redis.call('GET', KEYS[1])
if not stored then
  return 0
end
local m, c, p = string.match(stored, '^(%d+):(%d+):(%d+)$')
if not m then
  return 0
end
local minute = tonumber(m)
local count = tonumber(c)
local previous = tonumber(p)
local age = minute - math.floor(tonumber(ARGV[1]) / MINUTE_MS)
if age <= 0 then
  count = math.max(0, count - 1)
elseif age == 1 then
  previous = math.max(0, previous - 1)
else
  return 0
end
local ttl = math.min(2 * MINUTE_MS, math.max(1, (minute + 2) * MINUTE_MS - tonumber(ARGV[2])))
redis.call('SET', KEYS[1], string.format('%d:%d:%d', minute, count, previous), 'PX', ttl)
return 1
