-- Sets the counters that are missing to what events-service knows, and leaves the others alone.
-- KEYS[1] due minutes (zset), KEYS[2] advertiser (hash), then for each campaign: total, today, yesterday (hashes),
-- then for each open minute: campaign-minute (hash)
-- ARGV[1] used of the advertiser, ARGV[2] today, ARGV[3] lifetime of a campaign-day, ms, ARGV[4] number of campaigns,
-- then for each campaign five: used of its life; used and shown of today; used and shown of yesterday,
-- then for each open minute four: reserved, shown, expiry of its last fill (epoch ms), member of the due minutes
-- Returns how many counters were set.
local count, set = tonumber(ARGV[4]), 0

local function seed_day(key, used, shown)
  if redis.call('HSETNX', key, 'u', used) == 0 then return end
  redis.call('HSET', key, 's', shown)
  redis.call('PEXPIRE', key, ARGV[3])
  set = set + 1
end

-- Minutes come back only together with the advertiser's counter: while that is there, a minute that is missing is closed.
local is_lost = redis.call('HSETNX', KEYS[2], 'u', ARGV[1]) == 1
if is_lost then set = set + 1 end
for i = 1, count do
  local k, a = 2 + (i - 1) * 3, 4 + (i - 1) * 5
  local is_new = redis.call('HSETNX', KEYS[k + 1], 'u', ARGV[a + 1]) == 1
  if is_new then set = set + 1 end
  seed_day(KEYS[k + 2], ARGV[a + 2], ARGV[a + 3])
  if is_new then seed_day(KEYS[k + 3], ARGV[a + 4], ARGV[a + 5]) end
  local opened = tonumber(redis.call('HGET', KEYS[k + 1], 'd') or '-1')
  if opened < tonumber(ARGV[2]) then redis.call('HSET', KEYS[k + 1], 'd', ARGV[2]) end
end
if is_lost then
  local k, a = 2 + count * 3, 4 + count * 5
  for i = 1, #KEYS - k do
    if redis.call('HSETNX', KEYS[k + i], 'r', ARGV[a + 1]) == 1 then
      redis.call('HSET', KEYS[k + i], 's', ARGV[a + 2])
      redis.call('ZADD', KEYS[1], 'GT', ARGV[a + 3], ARGV[a + 4])
    end
    a = a + 4
  end
end
return set
