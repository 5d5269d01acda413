-- Reserves the cost of the first candidate that fits its limits, or tells what each would meet.
-- KEYS[1] due minutes (zset: member advertiser|campaign|minute, score: when its last fill is over, epoch ms)
-- KEYS[2] generation of the shard, KEYS[3] signs of this replica (strings)
-- then for each candidate, in bid order: campaign total (hash), campaign-day (hash), advertiser (hash), campaign-minute (hash)
-- ARGV[1] now, epoch ms; ARGV[2] minute of now; ARGV[3] day of now; ARGV[4] expiry of the fill, epoch ms;
-- ARGV[5] '1' to look only; ARGV[6] lifetime of a campaign-day, ms; ARGV[7] signs and ARGV[8] generation that this replica knows;
-- ARGV[9] lifetime of the signs, ms
-- then for each candidate twelve: cost; room of total, day, advertiser ('' no limit; else limit less cost, may be
-- negative); plan ('' not paced), most in this minute ('' no brake), weight of fresh and of older open reservations,
-- anchor ('' none known), daily budget of the plan, since when an anchor may hold ('' always); member of the due minutes
-- Returns 'behind' when the shard has lost what this replica has seen in it. Else the generation, the signs of this replica,
-- and for each candidate one text: reserved, total, day, balance, pace, unknown, untried or anchor|at|spent|budget.
-- A counter of another generation is missing.
-- Fields: g generation, u used (exact, only ever changed by HINCRBY), d last day that was opened, s shown, f/f0/f1 fresh minute and
-- what was reserved in it and in the one before, c used at the beginning of minute f, aa/as/ab anchor; r reserved, n number of
-- reservations whose fate is not known.
-- Money above 2^53 is never a Lua number: limits are compared as decimal texts. Doubles serve the pace only.
local now, minute, day, expires = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local dry, day_life = ARGV[5] == '1', ARGV[6]
local FIRST_KEY, FIRST_ARGUMENT = 4, 10

local generation = redis.call('GET', KEYS[2]) or '0'
local signs = redis.call('GET', KEYS[3]) or '0'
if tonumber(signs) < tonumber(ARGV[7]) or tonumber(generation) < tonumber(ARGV[8]) then return { 'behind' } end

-- a <= b for decimal integers written without leading zeros
local function at_most(a, b)
  local a_negative, b_negative = a:sub(1, 1) == '-', b:sub(1, 1) == '-'
  if a_negative ~= b_negative then return a_negative end
  if #a ~= #b then return (#a < #b) ~= a_negative end
  if a_negative then return a >= b end
  return a <= b
end

local function fits(used, room)
  return room == '' or at_most(used, room)
end

-- The state of a campaign-day as the pace sees it; fresh counters of passed minutes count for nothing. A replica whose
-- clock is a little behind counts in the minute that another has begun, so that neither brake nor fresh sums start anew.
local function pace_state(day_key, used)
  local h = redis.call('HMGET', day_key, 's', 'f', 'f0', 'f1', 'c', 'aa', 'as', 'ab')
  local state = { shown = tonumber(h[1] or '0'), f0 = 0, f1 = 0, base = tonumber(used), used = tonumber(used) }
  local f = tonumber(h[2] or '-1')
  local is_running = f == minute or f == minute + 1
  if is_running then
    state.f0, state.f1, state.base = tonumber(h[3] or '0'), tonumber(h[4] or '0'), tonumber(h[5] or used)
  elseif f == minute - 1 then
    state.f1 = tonumber(h[3] or '0')
  end
  state.is_new_minute = not is_running
  state.at, state.anchor_spent, state.budget = h[6], h[7], h[8]
  return state
end

local function likely(state, show, late)
  local fresh = state.f0 + state.f1
  return state.shown + show * fresh + late * (state.used - state.shown - fresh)
end

-- Passes, or says 'pace' or which anchor holds. The first request of a day always may fill.
local function pace_verdict(day_key, used, a)
  local state = pace_state(day_key, used)
  local spent = likely(state, a.show, a.late)
  if state.budget ~= a.budget or (a.since and tonumber(state.at) < a.since) then
    state.at, state.budget = now, a.budget
    state.anchor_spent = string.format('%.0f', math.max(0, math.min(spent, tonumber(a.budget))))
    if not dry then
      redis.call('HSET', day_key, 'aa', state.at, 'as', state.anchor_spent, 'ab', state.budget)
    end
  end
  if used == '0' then return 'fits', state end
  if a.anchor ~= state.at .. '|' .. state.anchor_spent then
    return 'anchor|' .. state.at .. '|' .. state.anchor_spent .. '|' .. state.budget
  end
  local cost = tonumber(a.cost)
  if spent + cost > a.plan then return 'pace' end
  if a.most and state.used + cost > state.base + a.most then return 'pace' end
  return 'fits', state
end

-- Used of total, day and advertiser; nil where one is missing. A day that was never opened since the campaign's counter
-- came to be is at zero.
local function used_of(keys)
  local total = redis.call('HMGET', keys.total, 'u', 'd', 'g')
  local balance = redis.call('HMGET', keys.advertiser, 'u', 'g')
  if total[3] ~= generation or balance[2] ~= generation then return nil end
  local of_day = redis.call('HMGET', keys.day, 'u', 'g')
  if of_day[2] ~= generation then
    if not total[2] or tonumber(total[2]) >= day then return nil end
    return { total = total[1], day = '0', balance = balance[1], is_new_day = true }
  end
  return { total = total[1], day = of_day[1], balance = balance[1] }
end

local function open_day(keys)
  redis.call('DEL', keys.day)
  redis.call('HSET', keys.day, 'u', '0', 'g', generation)
  redis.call('PEXPIRE', keys.day, day_life)
  redis.call('HSET', keys.total, 'd', day)
end

local function verdict_of(keys, a)
  local used = used_of(keys)
  if not used then return 'unknown' end
  if not fits(used.total, a.room_total) then return 'total' end
  if not fits(used.day, a.room_day) then return 'day' end
  if not fits(used.balance, a.room_balance) then return 'balance' end
  if used.is_new_day and not dry then open_day(keys) end
  if not a.plan then return 'fits' end
  return pace_verdict(keys.day, used.day, a)
end

local function book(keys, a, state)
  redis.call('HINCRBY', keys.total, 'u', a.cost)
  redis.call('HINCRBY', keys.advertiser, 'u', a.cost)
  redis.call('HINCRBY', keys.day, 'u', a.cost)
  if redis.call('HGET', keys.minute, 'g') ~= generation then
    redis.call('DEL', keys.minute)
    redis.call('HSET', keys.minute, 'g', generation)
  end
  redis.call('HINCRBY', keys.minute, 'r', a.cost)
  redis.call('HINCRBY', keys.minute, 'n', '1')
  redis.call('ZADD', KEYS[1], 'GT', expires, a.member)
  if not state then return end
  if state.is_new_minute then
    local f1, base = string.format('%.0f', state.f1), string.format('%.0f', state.base)
    redis.call('HSET', keys.day, 'f', minute, 'f0', '0', 'f1', f1, 'c', base)
  end
  redis.call('HINCRBY', keys.day, 'f0', a.cost)
end

local function arguments_of(i)
  local p = FIRST_ARGUMENT - 1 + (i - 1) * 12
  return {
    cost = ARGV[p + 1], room_total = ARGV[p + 2], room_day = ARGV[p + 3], room_balance = ARGV[p + 4],
    plan = tonumber(ARGV[p + 5]), most = tonumber(ARGV[p + 6]), show = tonumber(ARGV[p + 7]),
    late = tonumber(ARGV[p + 8]), anchor = ARGV[p + 9], budget = ARGV[p + 10],
    since = tonumber(ARGV[p + 11]), member = ARGV[p + 12],
  }
end

local answers, is_over, is_booked = {}, false, false
for i = 1, (#KEYS - FIRST_KEY + 1) / 4 do
  local k = FIRST_KEY - 1 + (i - 1) * 4
  local keys = { total = KEYS[k + 1], day = KEYS[k + 2], advertiser = KEYS[k + 3], minute = KEYS[k + 4] }
  if is_over then
    -- Missing counters are told of all candidates at once, so that they are asked for at once.
    answers[i] = used_of(keys) and 'untried' or 'unknown'
  else
    local a = arguments_of(i)
    local verdict, state = verdict_of(keys, a)
    if verdict == 'fits' then
      if not dry then
        book(keys, a, state)
        is_over, is_booked = true, true
      end
      verdict = 'reserved'
    elseif not dry and (verdict == 'unknown' or verdict:sub(1, 6) == 'anchor') then
      is_over = true
    end
    answers[i] = verdict
  end
end
if is_booked then
  signs = tostring(redis.call('INCR', KEYS[3]))
  redis.call('PEXPIRE', KEYS[3], ARGV[9])
end
return { generation, signs, unpack(answers) }
