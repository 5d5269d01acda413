-- Sets for one fill until when it counts. A past instant removes it.
-- KEYS[1], KEYS[2] of the session of the fill, as in cap-claim.lua
-- ARGV[1] now, epoch ms; ARGV[2] request id; ARGV[3], ARGV[4] the longest time for which a unit of each key counts, ms (0:
--   no unit counts); then for each unit: unit, instant until which it counts (epoch ms)
-- Returns 0.
local OPEN, SPARE_MS = 'o', 60000
local now, request = tonumber(ARGV[1]), ARGV[2]
for at = 5, #ARGV, 2 do
  local unit, counts_until = ARGV[at], ARGV[at + 1]
  local key, member = KEYS[1], unit .. '|' .. request
  if unit == OPEN then
    key, member = KEYS[2], request
  end
  if tonumber(counts_until) > now then
    redis.call('ZADD', key, counts_until, member)
  else
    redis.call('ZREM', key, member)
  end
end
for index, key in ipairs(KEYS) do
  local life = tonumber(ARGV[2 + index])
  if life > 0 and redis.call('PTTL', key) < life then redis.call('PEXPIRE', key, life + SPARE_MS) end
end
return 0
