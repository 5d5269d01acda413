-- Gives the money of one fill back, once per request id, unless its minute is closed: then it is back already. A minute that
-- was rebuilt (field k) does not know what was given back before; its closing gives the money back.
-- KEYS[1] campaign total, KEYS[2] campaign-day, KEYS[3] advertiser, KEYS[4] campaign-minute (hashes),
-- KEYS[5] fates of the campaign-minute (set of request ids)
-- ARGV[1] request id, ARGV[2] cost, ARGV[3] minute of the fill, ARGV[4] lifetime of the fates, ms
-- Returns 1 when the money was given back, else 0.
local minute_is = redis.call('HMGET', KEYS[4], 'g', 'k')
if not minute_is[1] or minute_is[2] then return 0 end
if redis.call('SADD', KEYS[5], ARGV[1]) == 0 then return 0 end
redis.call('PEXPIRE', KEYS[5], ARGV[4])
local back = '-' .. ARGV[2]
for i = 1, 3 do
  -- A counter that is missing stays unknown, and one of another generation was made without this minute.
  if redis.call('HGET', KEYS[i], 'g') == minute_is[1] then redis.call('HINCRBY', KEYS[i], 'u', back) end
end
redis.call('HINCRBY', KEYS[4], 'r', back)
redis.call('HINCRBY', KEYS[4], 'n', '-1')
local fresh = tonumber(redis.call('HGET', KEYS[2], 'f') or '-2')
local minute = tonumber(ARGV[3])
if fresh == minute then
  redis.call('HINCRBY', KEYS[2], 'f0', back)
elseif fresh == minute + 1 then
  redis.call('HINCRBY', KEYS[2], 'f1', back)
end
return 1
