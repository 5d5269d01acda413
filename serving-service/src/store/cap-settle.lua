-- Says of one fill until when it counts now; a time that has passed takes it out.
-- KEYS[1] fills of the session that count (zset: member unit|request id, score: until when it counts, epoch ms)
-- ARGV[1] now, epoch ms; ARGV[2] request id; then for each unit two: unit, until when it counts (epoch ms)
-- Returns 0.
for i = 3, #ARGV, 2 do
  local member = ARGV[i] .. '|' .. ARGV[2]
  if tonumber(ARGV[i + 1]) > tonumber(ARGV[1]) then
    redis.call('ZADD', KEYS[1], ARGV[i + 1], member)
  else
    redis.call('ZREM', KEYS[1], member)
  end
end
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
if last[2] then redis.call('PEXPIRE', KEYS[1], string.format('%.0f', tonumber(last[2]) - tonumber(ARGV[1]))) end
return 0
