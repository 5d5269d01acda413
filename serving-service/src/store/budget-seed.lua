-- Sets the counters that are missing to what events-service knows, and leaves the others alone. A counter of another
-- generation is missing.
-- KEYS[1] due minutes (zset), KEYS[2] generation of the shard (string), KEYS[3] advertiser (hash), then for each campaign:
-- total, today, yesterday (hashes), then for each open minute: campaign-minute (hash), fates of the campaign-minute (set)
-- ARGV[1] generation for which events-service was asked, ARGV[2] used of the advertiser, ARGV[3] today, ARGV[4] lifetime of a
-- campaign-day, ms, ARGV[5] number of campaigns,
-- then for each campaign five: used of its life; used and shown of today; used and shown of yesterday,
-- then for each open minute four: reserved, shown, expiry of its last fill (epoch ms), member of the due minutes
-- Returns how many counters were set; -1 when the generation is another by now.
local generation = redis.call('GET', KEYS[2])
if generation ~= ARGV[1] then return -1 end
local count, set = tonumber(ARGV[5]), 0

local function is_missing(key)
  return redis.call('HGET', key, 'g') ~= generation
end

local function seed_day(key, used, shown)
  if not is_missing(key) then return end
  redis.call('HSET', key, 'u', used, 's', shown, 'g', generation)
  redis.call('HDEL', key, 'f', 'f0', 'f1', 'c')
  redis.call('PEXPIRE', key, ARGV[4])
  set = set + 1
end

-- Minutes come back only together with the advertiser's counter: while that is there, a minute that is missing is closed.
local is_lost = is_missing(KEYS[3])
if is_lost then
  redis.call('HSET', KEYS[3], 'u', ARGV[2], 'g', generation)
  set = set + 1
end
for i = 1, count do
  local k, a = 3 + (i - 1) * 3, 5 + (i - 1) * 5
  local is_new = is_missing(KEYS[k + 1])
  if is_new then
    redis.call('HSET', KEYS[k + 1], 'u', ARGV[a + 1], 'g', generation)
    set = set + 1
  end
  seed_day(KEYS[k + 2], ARGV[a + 2], ARGV[a + 3])
  seed_day(KEYS[k + 3], ARGV[a + 4], ARGV[a + 5])
  local opened = tonumber(redis.call('HGET', KEYS[k + 1], 'd') or '-1')
  if is_new or opened < tonumber(ARGV[3]) then redis.call('HSET', KEYS[k + 1], 'd', ARGV[3]) end
end
if is_lost then
  local k, a = 3 + count * 3, 5 + count * 5
  while k < #KEYS do
    redis.call('DEL', KEYS[k + 1], KEYS[k + 2])
    redis.call('HSET', KEYS[k + 1], 'r', ARGV[a + 1], 's', ARGV[a + 2], 'g', generation, 'k', '1')
    redis.call('ZADD', KEYS[1], 'GT', ARGV[a + 3], ARGV[a + 4])
    k, a = k + 2, a + 4
  end
end
return set
