-- Executes claims one after another, each as its own step: claims a fill for every unit of its session, or for none.
-- KEYS     two for each claim: the fills of its session that count for caps (zset: member unit|request id, score: instant
--          until which it counts, epoch ms), and the open fills of its session (zset: member request id, score: the same).
--          Open fills are the unit `o`. They have a key of their own, because they are many and need not be read
-- ARGV[1]  a JSON array, because Redis reads it several times as fast as arguments. A value that is only passed on to a
--          command is a text, because numbers are slow to write. For each claim:
--            now, epoch ms; request id; the longest time for which a unit of each of its keys counts, ms (0: the claim has
--            no such unit); number of its units
--            3 per unit: unit, most fills that may count, instant until which this one counts (epoch ms, text)
-- Returns for each claim 0 when claimed, otherwise the number (from 1) of the first full unit, and all members that count
-- for caps.

local call, args = redis.call, cjson.decode(ARGV[1])
local OPEN, HEAD, PER_UNIT, SPARE_MS = 'o', 5, 3, 60000

local function is_open_full(key, now, request, most)
  if call('ZCARD', key) < most then return false end
  call('ZREMRANGEBYSCORE', key, '-inf', now)
  local own = call('ZSCORE', key, request) and 1 or 0
  return call('ZCARD', key) - own >= most
end

local function members_of(key, now)
  call('ZREMRANGEBYSCORE', key, '-inf', now)
  return call('ZRANGE', key, 0, -1)
end

-- The number of the first full unit, and all members that count for caps. nil: no unit is full.
local function full_unit(caps, open, now, request, first, last)
  local held, members = nil, nil
  for at = first, last, PER_UNIT do
    local unit, most, is_full = args[at], args[at + 1], false
    if unit == OPEN then
      is_full = is_open_full(open, now, request, most)
    else
      held = held or call('ZCARD', caps)
      -- A unit cannot have more fills than all units together, so often no unit needs to be counted.
      if held >= most then
        members = members or members_of(caps, now)
        local prefix, count = unit .. '|', 0
        local own = prefix .. request
        for _, member in ipairs(members) do
          if string.find(member, prefix, 1, true) == 1 and member ~= own then count = count + 1 end
        end
        is_full = count >= most
      end
    end
    if is_full then return { (at - first) / PER_UNIT + 1, members or members_of(caps, now) } end
  end
  return nil
end

-- A key expires soon after its last fill. A write costs more than a read, so a longer life saves the next claims a write.
local function keep(key, life)
  if life > 0 and call('PTTL', key) < life then call('PEXPIRE', key, life + SPARE_MS) end
end

local answers, offset = {}, 0
for index = 1, #KEYS / 2 do
  local caps, open = KEYS[2 * index - 1], KEYS[2 * index]
  local now, request = args[offset + 1], args[offset + 2]
  local first = offset + HEAD + 1
  local last = offset + HEAD + PER_UNIT * args[offset + HEAD]
  local full = full_unit(caps, open, now, request, first, last)
  if not full then
    for at = first, last, PER_UNIT do
      if args[at] == OPEN then
        call('ZADD', open, args[at + 2], request)
      else
        call('ZADD', caps, args[at + 2], args[at] .. '|' .. request)
      end
    end
    keep(caps, args[offset + 3])
    keep(open, args[offset + 4])
  end
  answers[index] = full or 0
  offset = last
end
return answers
