-- Closes a campaign-minute: what it reserved beyond what was accepted is given back. Once: the minute is gone then.
-- KEYS[1] due minutes (zset), KEYS[2] campaign-minute, KEYS[3] campaign total, KEYS[4] campaign-day, KEYS[5] advertiser
-- (hashes), KEYS[6] fates of the campaign-minute (set)
-- ARGV[1] member of the due minutes, ARGV[2] accepted sum
-- Returns what was given back as a decimal text; '' when the minute was closed before.
redis.call('ZREM', KEYS[1], ARGV[1])
if redis.call('EXISTS', KEYS[2]) == 0 then return '' end
redis.call('HINCRBY', KEYS[2], 'r', ARGV[2] == '0' and '0' or '-' .. ARGV[2])
local rest = redis.call('HGET', KEYS[2], 'r')
local back = rest:sub(1, 1) == '-' and rest:sub(2) or '-' .. rest
if rest ~= '0' then
  for i = 3, 5 do
    -- A counter that is missing stays unknown.
    if redis.call('EXISTS', KEYS[i]) == 1 then redis.call('HINCRBY', KEYS[i], 'u', back) end
  end
end
-- The accepted sum is the truth of what was shown; hints may have been lost.
local hinted = redis.call('HGET', KEYS[2], 's') or '0'
if redis.call('EXISTS', KEYS[4]) == 1 then
  redis.call('HINCRBY', KEYS[4], 's', ARGV[2])
  if hinted ~= '0' then redis.call('HINCRBY', KEYS[4], 's', '-' .. hinted) end
end
redis.call('DEL', KEYS[2], KEYS[6])
return rest
