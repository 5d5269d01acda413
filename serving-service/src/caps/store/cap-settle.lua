-- Says of one fill until when it counts now; a time that has passed takes it out.
-- KEYS[1] fills of the session that count (zset: member unit|request id, score: until when it counts, epoch ms)
-- ARGV[1] now, epoch ms; ARGV[2] request id; ARGV[3] how long the longest of the units counts, ms; then for each unit two: unit,
--   until when it counts (epoch ms)
-- Returns 0.
for i = 4, #ARGV, 2 do
  local member = ARGV[i] .. '|' .. ARGV[2]
  if tonumber(ARGV[i + 1]) > tonumber(ARGV[1]) then
    redis.call('ZADD', KEYS[1], ARGV[i + 1], member)
  else
    redis.call('ZREM', KEYS[1], member)
  end
end
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return 0
