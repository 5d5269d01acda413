-- Counts one request or event of a session unless it breaks a limit. The limits come from the caller (src/domain/claim.ts
-- says which and with which numbers); what a limit means is said in src/domain/limit.ts, and the store tests hold both together.
--
-- KEYS     one sorted set per counter, request id -> epoch ms of its arrival; all with the session's hash tag.
--          KEYS[1] is counted, and tells whether the request id was counted before
-- ARGV[1]  request id
-- ARGV[2]  epoch ms of the arrival
-- ARGV[3]  how many of KEYS, from the first, are counted; the others are only read
-- then 2 per key:    milliseconds to keep the key (> 0), epoch ms up to which entries are forgotten (empty: none)
-- then 5 per limit:  'window', index of its key, epoch ms at which the window begins (excluded), max, empty
--                 or 'ratio',  index of its key, index of the base's key, max, least base
--
-- Answers 0 when it passes (and is counted, once), else the position of the first limit that breaks, from 1.

local request_id, at_ms, counted = ARGV[1], ARGV[2], tonumber(ARGV[3])
local position = 4

for i, key in ipairs(KEYS) do
  local forget_until_ms = ARGV[position + 1]
  position = position + 2
  if forget_until_ms ~= '' then
    redis.call('ZREMRANGEBYSCORE', key, '-inf', forget_until_ms)
  end
end

-- A key that has lost its expiry gets one again, also when nothing is counted; what is counted sets it anyway.
local function keep_expiries(from)
  for i = from, #KEYS do
    if redis.call('PTTL', KEYS[i]) == -1 then
      redis.call('PEXPIRE', KEYS[i], ARGV[2 + 2 * i])
    end
  end
end

if redis.call('ZSCORE', KEYS[1], request_id) then
  keep_expiries(1)
  return 0
end

local limit = 1
while position <= #ARGV do
  local kind, key, max = ARGV[position], KEYS[tonumber(ARGV[position + 1])], tonumber(ARGV[position + 3])
  if kind == 'window' then
    local count = redis.call('ZCOUNT', key, '(' .. ARGV[position + 2], '+inf')
    if count >= max then
      keep_expiries(1)
      return limit
    end
  else
    local base_count = redis.call('ZCARD', KEYS[tonumber(ARGV[position + 2])])
    local count = redis.call('ZCARD', key)
    if base_count >= tonumber(ARGV[position + 4]) and (count + 1) / base_count > max then
      keep_expiries(1)
      return limit
    end
  end
  limit = limit + 1
  position = position + 5
end

for i = 1, counted do
  redis.call('ZADD', KEYS[i], at_ms, request_id)
  redis.call('PEXPIRE', KEYS[i], ARGV[2 + 2 * i])
end
keep_expiries(counted + 1)
return 0
