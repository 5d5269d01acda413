-- Closes a campaign-minute: what it reserved beyond what was accepted is given back. Once: the minute is gone then.
-- KEYS[1] due minutes (zset), KEYS[2] campaign-minute, KEYS[3] campaign total, KEYS[4] campaign-day, KEYS[5] advertiser
-- (hashes), KEYS[6] fates of the campaign-minute (set)
-- ARGV[1] member of the due minutes, ARGV[2] accepted sum, ARGV[3] day of the fills
-- Fields of the total besides: ps, pu, pl what was shown, not shown, and shown late, as the pace learns it (doubles); each
-- day halves what was before it; pd the last such day.
-- A minute gives back to counters of its own generation only: newer ones were made without what it reserved.
-- Returns what was given back as a decimal text; '' when the minute was closed before.
redis.call('ZREM', KEYS[1], ARGV[1])
if redis.call('EXISTS', KEYS[2]) == 0 then return '' end
redis.call('HINCRBY', KEYS[2], 'r', ARGV[2] == '0' and '0' or '-' .. ARGV[2])
local rest = redis.call('HGET', KEYS[2], 'r')
local generation = redis.call('HGET', KEYS[2], 'g')
local function takes_part(key) return generation and redis.call('HGET', key, 'g') == generation end
local was_given = rest
if not takes_part(KEYS[5]) then was_given = '0' end
local back = rest:sub(1, 1) == '-' and rest:sub(2) or '-' .. rest
if rest ~= '0' then
  for i = 3, 5 do
    -- A counter that is missing stays unknown.
    if takes_part(KEYS[i]) then redis.call('HINCRBY', KEYS[i], 'u', back) end
  end
end
-- The accepted sum is the truth of what was shown; hints may have been lost.
local hinted = redis.call('HGET', KEYS[2], 's') or '0'
if takes_part(KEYS[4]) then
  redis.call('HINCRBY', KEYS[4], 's', ARGV[2])
  if hinted ~= '0' then redis.call('HINCRBY', KEYS[4], 's', '-' .. hinted) end
end

local function learn(shown, unshown, late)
  local h = redis.call('HMGET', KEYS[3], 'ps', 'pu', 'pl', 'pd')
  local day = math.max(tonumber(ARGV[3]), tonumber(h[4] or '0'))
  local kept = 0.5 ^ math.min(day - tonumber(h[4] or day), 64)
  local function sum(before, more)
    return string.format('%.0f', tonumber(before or '0') * kept + math.max(0, more))
  end
  redis.call('HSET', KEYS[3], 'ps', sum(h[1], shown), 'pu', sum(h[2], unshown), 'pl', sum(h[3], late), 'pd', day)
end
if redis.call('EXISTS', KEYS[3]) == 1 then
  local accepted = tonumber(ARGV[2])
  learn(accepted, tonumber(rest), math.min(accepted, tonumber(redis.call('HGET', KEYS[2], 'l') or '0')))
end
redis.call('DEL', KEYS[2], KEYS[6])
return was_given
