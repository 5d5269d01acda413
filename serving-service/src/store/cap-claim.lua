-- Claims a fill for every unit of a session, or for none.
-- KEYS[1] fills of the session that count (zset: member unit|request id, score: until when it counts, epoch ms)
-- ARGV[1] now, epoch ms; ARGV[2] request id; then for each unit three: unit, most fills that may count, until when this one counts (epoch ms)
-- Returns 0 when claimed, else the number (from 1) of the first unit that is full.
local key, now, request = KEYS[1], ARGV[1], ARGV[2]
redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
local members = redis.call('ZRANGE', key, 0, -1)
local number = 0
for i = 3, #ARGV, 3 do
  number = number + 1
  local prefix, count = ARGV[i] .. '|', 0
  for _, member in ipairs(members) do
    if member:sub(1, #prefix) == prefix and member ~= prefix .. request then count = count + 1 end
  end
  if count >= tonumber(ARGV[i + 1]) then return number end
end
for i = 3, #ARGV, 3 do
  redis.call('ZADD', key, ARGV[i + 2], ARGV[i] .. '|' .. request)
end
-- The key lives as long as its last fill counts, so that it never outlives its period.
local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')
if last[2] then redis.call('PEXPIRE', key, string.format('%.0f', tonumber(last[2]) - tonumber(now))) end
return 0
