-- Lets a campaign-minute and its counters hold at least what is known to be reserved in it.
-- KEYS[1] campaign-minute, KEYS[2] campaign total, KEYS[3] campaign-day, KEYS[4] advertiser (hashes)
-- ARGV[1] what is known to be reserved
-- Returns by how much they were raised as a decimal text; '0' when they held enough or the minute is closed.
local generation = redis.call('HGET', KEYS[1], 'g')
if not generation then return '0' end
redis.call('HINCRBY', KEYS[1], 'r', '-' .. ARGV[1])
local rest = redis.call('HGET', KEYS[1], 'r')
redis.call('HINCRBY', KEYS[1], 'r', ARGV[1])
if rest:sub(1, 1) ~= '-' then return '0' end
local missing = rest:sub(2)
redis.call('HINCRBY', KEYS[1], 'r', missing)
for i = 2, 4 do
  if redis.call('HGET', KEYS[i], 'g') == generation then redis.call('HINCRBY', KEYS[i], 'u', missing) end
end
return missing
