-- Begins a new generation of a shard whose counters were found to be wrong: all of them become unknown.
-- KEYS[1] generation of the shard (string)
-- ARGV[1] the generation whose counters are wrong; another one is left alone
-- Returns 1 when a new one has begun, else 0.
local generation = redis.call('GET', KEYS[1])
if generation ~= ARGV[1] then return 0 end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('SET', KEYS[1], string.format('%.0f', math.max(now, tonumber(generation) + 1)))
return 1
