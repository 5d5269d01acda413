-- Claims a fill for every unit of a session, or for none.
-- KEYS[1] fills of the session that count (zset: member unit|request id, score: instant until which it counts, epoch
-- ms)
-- ARGV[1] now, epoch ms; ARGV[2] request id; ARGV[3] the longest time for which a unit counts, ms; then for each unit:
--   unit, most fills that may count, instant until which this one counts (epoch ms)
-- Returns 0 when claimed, otherwise the number (from 1) of the first full unit, and all members that count.
local key, now, request, life = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local held, members = redis.call('ZCARD', key), nil
for i = 4, #ARGV, 3 do
  local most = tonumber(ARGV[i + 1])
  -- A unit cannot have more fills than all units together, so mostly no unit needs to be counted.
  if held >= most then
    if not members then
      redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
      members = redis.call('ZRANGE', key, 0, -1)
    end
    local prefix, count = ARGV[i] .. '|', 0
    local own = prefix .. request
    for _, member in ipairs(members) do
      if string.find(member, prefix, 1, true) == 1 and member ~= own then count = count + 1 end
    end
    if count >= most then return { (i - 1) / 3, members } end
  end
end
for i = 4, #ARGV, 3 do
  redis.call('ZADD', key, ARGV[i + 2], ARGV[i] .. '|' .. request)
end
-- The key expires with its last fill, so that it never outlives its period.
if redis.call('PTTL', key) < tonumber(life) then redis.call('PEXPIRE', key, life) end
return 0
