-- Carries out claims one after another, each as one step of its own: counts a request or event of a session unless it
-- breaks a limit. The limits come from the caller (src/domain/rule-book.ts says which and with which numbers); what a
-- limit means is said in src/domain/claim.ts.
--
-- KEYS  those of the first claim, then those of the second …: one sorted set per counter, request id -> epoch ms of its
--       arrival. A claim's first key is counted, and tells whether its request id was counted before. In a cluster all
--       claims are of one session, whose hash tag all its keys have
-- ARGV  for each claim:
--         request id, epoch ms of the arrival, how many keys are its own, how many of these, from the first, are counted
--         (the others are only read), how many limits it has, which of them are in shadow mode (sum of 2 ^ (position - 1))
--         2 per key:    milliseconds to keep the key (> 0), epoch ms up to which entries are forgotten (empty: none)
--         5 per limit:  'window', place of its key among the claim's, max, epoch ms at which the window begins, with a
--                       '(' before it: excluded; empty
--                   or  'ratio', place of its key, max, place of the base's key, least base
--
-- Answers a number for each claim: the position, from 1, of the first limit that breaks and is not in shadow mode (0: none,
-- it passes and is counted, once) + 16 × the sum of 2 ^ (position - 1) of those in shadow mode that break before it.

local call, tonumber, band = redis.call, tonumber, bit.band
local HEAD, PER_KEY, PER_LIMIT, SHADOW_SCALE = 6, 2, 5, 16
local argument_count, answers, answer_count = #ARGV, {}, 0
-- The last key and argument of the claims before.
local key_offset, offset = 0, 0

-- A key that has lost its expiry gets one again, also when nothing is counted; what is counted sets it anyway.
local function keep_expiries(from, key_count)
  for i = from, key_count do
    local key = KEYS[key_offset + i]
    if call('PTTL', key) == -1 then
      call('PEXPIRE', key, ARGV[offset + HEAD + PER_KEY * (i - 1) + 1])
    end
  end
end

while offset < argument_count do
  local request_id, at_ms, first = ARGV[offset + 1], ARGV[offset + 2], KEYS[key_offset + 1]
  local key_count, limit_count = tonumber(ARGV[offset + 3]), tonumber(ARGV[offset + 5])
  local limits = offset + HEAD + PER_KEY * key_count
  local verdict, shadowed = 0, 0

  for i = 1, key_count do
    local forget_until_ms = ARGV[offset + HEAD + PER_KEY * i]
    if forget_until_ms ~= '' then
      call('ZREMRANGEBYSCORE', KEYS[key_offset + i], '-inf', forget_until_ms)
    end
  end

  -- Counted before it is judged, and taken out again when it is refused: most pass, and so it is one command fewer.
  if call('ZADD', first, 'NX', at_ms, request_id) == 0 then
    keep_expiries(1, key_count)
  else
    local at, bit_of_limit = limits, 1
    for limit = 1, limit_count do
      local key, max = KEYS[key_offset + tonumber(ARGV[at + 2])], tonumber(ARGV[at + 3])
      local own, is_broken = key == first and 1 or 0, false
      if ARGV[at + 1] == 'window' then
        is_broken = call('ZCOUNT', key, ARGV[at + 4], '+inf') - own >= max
      else
        local base_count = call('ZCARD', KEYS[key_offset + tonumber(ARGV[at + 4])])
        is_broken = base_count >= tonumber(ARGV[at + 5]) and (call('ZCARD', key) - own + 1) / base_count > max
      end
      if is_broken and band(tonumber(ARGV[offset + 6]), bit_of_limit) == 0 then
        verdict = limit
        break
      end
      if is_broken then
        shadowed = shadowed + bit_of_limit
      end
      at, bit_of_limit = at + PER_LIMIT, bit_of_limit * 2
    end

    if verdict == 0 then
      local counted = tonumber(ARGV[offset + 4])
      call('PEXPIRE', first, ARGV[offset + HEAD + 1])
      for i = 2, counted do
        local key = KEYS[key_offset + i]
        call('ZADD', key, at_ms, request_id)
        call('PEXPIRE', key, ARGV[offset + HEAD + PER_KEY * (i - 1) + 1])
      end
      keep_expiries(counted + 1, key_count)
    else
      call('ZREM', first, request_id)
      keep_expiries(1, key_count)
    end
  end

  answer_count = answer_count + 1
  answers[answer_count] = verdict + SHADOW_SCALE * shadowed
  key_offset, offset = key_offset + key_count, limits + PER_LIMIT * limit_count
end
return answers
