-- Claims a fill for every unit of a session, or for none.
-- KEYS[1] fills of the session that count (zset: member unit|request id, score: until when it counts, epoch ms)
-- ARGV[1] now, epoch ms; ARGV[2] request id; ARGV[3] how long the longest of the units counts, ms; then for each unit three:
--   unit, most fills that may count, until when this one counts (epoch ms)
-- Returns 0 when claimed, else the number (from 1) of the first unit that is full, and all members that count.
local key, now, request, life = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local held, members = redis.call('ZCARD', key), nil
for i = 4, #ARGV, 3 do
  local most = tonumber(ARGV[i + 1])
  -- No unit has more fills than all units together: mostly none needs to be counted.
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
-- The key lives as long as its last fill counts, so that it never outlives its period.
if redis.call('PTTL', key) < tonumber(life) then redis.call('PEXPIRE', key, life) end
return 0
