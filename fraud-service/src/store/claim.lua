-- Executes claims one after another, each as its own step: counts a request or event of a session unless it exceeds a
-- limit. The caller provides the limits and their numbers (src/domain/rule-book.ts). src/domain/claim.ts explains a
-- limit.
--
-- KEYS  the keys of the first claim, then those of the second, …: one sorted set per counter, request id -> epoch ms of
--       its arrival. The first key of a claim is counted and detects a retry by its request id. In a cluster all claims
--       belong to one session, whose hash tag is in all keys
-- ARGV[1]  a JSON array, because Redis reads it several times as fast as arguments. A value that is only passed on to a
--       command is a text, because numbers are slow to write. For each claim:
--         request id, epoch ms of the arrival (text), number of its keys, number of these, from the first, that are counted
--         (the others are only read), number of its limits, limits in shadow mode (sum of 2 ^ (position - 1))
--         2 per key:    milliseconds to keep the key (> 0), epoch ms up to which entries are removed (text; empty: none)
--         5 per limit:  'window', position of its key in the claim, max, epoch ms of the start of the window with a '('
--                       before it (excluded), empty
--                   or  'ratio', position of its key, max, position of the base's key, least base
--
-- Answers a number for each claim: the position, from 1, of the first exceeded limit that is not in shadow mode (0:
-- none; the claim passes and is counted, once) + 16 × the sum of 2 ^ (position - 1) of the exceeded limits in shadow
-- mode before it.

local call, band, args = redis.call, bit.band, cjson.decode(ARGV[1])
local HEAD, PER_KEY, PER_LIMIT, SHADOW_SCALE, SPARE_MS = 6, 2, 5, 16, 60000
local argument_count, answers, answer_count = #args, {}, 0
-- The last key and the last argument of the previous claims.
local key_offset, offset = 0, 0

-- Restores a lost expiry of a key, even when nothing is counted. Counting keeps the expiry anyway.
local function keep_expiries(from, key_count)
  for i = from, key_count do
    local key = KEYS[key_offset + i]
    if call('PTTL', key) == -1 then
      call('PEXPIRE', key, args[offset + HEAD + PER_KEY * (i - 1) + 1])
    end
  end
end

while offset < argument_count do
  local request_id, at_ms, first = args[offset + 1], args[offset + 2], KEYS[key_offset + 1]
  local key_count, limit_count = args[offset + 3], args[offset + 5]
  local limits = offset + HEAD + PER_KEY * key_count
  local verdict, shadowed = 0, 0

  for i = 1, key_count do
    local forget_until_ms = args[offset + HEAD + PER_KEY * i]
    if forget_until_ms ~= '' then
      call('ZREMRANGEBYSCORE', KEYS[key_offset + i], '-inf', forget_until_ms)
    end
  end

  -- The claim is counted before it is judged, and removed again when it is refused. Most claims pass, so this saves a
  -- command.
  if call('ZADD', first, 'NX', at_ms, request_id) == 0 then
    keep_expiries(1, key_count)
  else
    local at, bit_of_limit = limits, 1
    for limit = 1, limit_count do
      local key, max = KEYS[key_offset + args[at + 2]], args[at + 3]
      local own, is_broken = key == first and 1 or 0, false
      if args[at + 1] == 'window' then
        is_broken = call('ZCOUNT', key, args[at + 4], '+inf') - own >= max
      else
        local base_count = call('ZCARD', KEYS[key_offset + args[at + 4]])
        is_broken = base_count >= args[at + 5] and (call('ZCARD', key) - own + 1) / base_count > max
      end
      if is_broken and band(args[offset + 6], bit_of_limit) == 0 then
        verdict = limit
        break
      end
      if is_broken then
        shadowed = shadowed + bit_of_limit
      end
      at, bit_of_limit = at + PER_LIMIT, bit_of_limit * 2
    end

    if verdict == 0 then
      local counted = args[offset + 4]
      for i = 2, counted do
        call('ZADD', KEYS[key_offset + i], at_ms, request_id)
      end
      for i = 1, counted do
        local key, ttl = KEYS[key_offset + i], args[offset + HEAD + PER_KEY * (i - 1) + 1]
        -- A write costs more than a read. A longer life saves the next claims a write.
        if call('PTTL', key) < ttl then
          call('PEXPIRE', key, ttl + SPARE_MS)
        end
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
