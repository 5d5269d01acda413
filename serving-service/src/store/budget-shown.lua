-- Notes that a fill was shown, once per request id and only while its minute is open: a hint for the pace.
-- KEYS[1] campaign-day, KEYS[2] campaign-minute (hashes), KEYS[3] fates of the campaign-minute (set of request ids)
-- ARGV[1] request id, ARGV[2] cost, ARGV[3] minute of the fill, ARGV[4] lifetime of the fates, ms, ARGV[5] minute of now
-- Returns 1 when it was news, else 0.
local generation = redis.call('HGET', KEYS[2], 'g')
if not generation or redis.call('HGET', KEYS[1], 'g') ~= generation then return 0 end
if redis.call('SADD', KEYS[3], ARGV[1]) == 0 then return 0 end
redis.call('PEXPIRE', KEYS[3], ARGV[4])
redis.call('HINCRBY', KEYS[1], 's', ARGV[2])
redis.call('HINCRBY', KEYS[2], 's', ARGV[2])
redis.call('HINCRBY', KEYS[2], 'n', '-1')
-- Late: neither of its own minute nor of the one after.
if tonumber(ARGV[5]) > tonumber(ARGV[3]) + 1 then redis.call('HINCRBY', KEYS[2], 'l', ARGV[2]) end
local fresh = tonumber(redis.call('HGET', KEYS[1], 'f') or '-2')
local minute = tonumber(ARGV[3])
if fresh == minute then
  redis.call('HINCRBY', KEYS[1], 'f0', '-' .. ARGV[2])
elseif fresh == minute + 1 then
  redis.call('HINCRBY', KEYS[1], 'f1', '-' .. ARGV[2])
end
return 1
