-- Sets for one fill until when it counts. A past instant removes it.
-- KEYS[1] fills of the session that count (zset: member unit|request id, score: instant until which it counts, epoch
-- ms)
-- ARGV[1] now, epoch ms; ARGV[2] request id; ARGV[3] the longest time for which a unit counts, ms; then for each unit:
--   unit, instant until which it counts (epoch ms)
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
