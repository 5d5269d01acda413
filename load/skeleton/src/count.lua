-- Counts once, like the simplest limiter.
-- KEYS[1] counter
-- ARGV[1] life of the counter in milliseconds
local count = redis.call('INCR', KEYS[1])
if count == 1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return count
