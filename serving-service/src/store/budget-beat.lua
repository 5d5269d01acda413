-- Leaves a sign of life of one replica in a shard, and tells whether the shard still holds what it held for this replica: a
-- shard that was flushed, restarted or taken over from an older copy holds fewer signs. Such a shard can be renewed: a new
-- generation makes every counter of the one before unknown. A sign of a replica that has lost something is left with leave to
-- renew only: it has handed over its fills then.
-- KEYS[1] generation of the shard, KEYS[2] signs of this replica, KEYS[3] when any replica left its last, KEYS[4] generation that
-- began with a loss, for as long as nothing is rebuilt in it (strings)
-- ARGV[1] signs that this replica knows of; '' when it does not know the shard yet, ARGV[2] last generation it knows,
-- ARGV[3] '1' to renew when that is needed, ARGV[4] lifetime of the signs, ms, ARGV[5] for how long the shard is vouched for by
-- a sign of any replica, ms, ARGV[6] how long the other replicas have to report their last fills after a loss, ms
-- Returns whether the replica may use the shard (1 or 0), generation, signs of this replica, whether all counters of this
-- generation were made while no other replica ran (1 or 0), for how long others may yet report fills from before it, ms.
local function text(number) return string.format('%.0f', number) end

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local generation = tonumber(redis.call('GET', KEYS[1]) or '0')
local signs = tonumber(redis.call('GET', KEYS[2]) or '0')
local known_signs, known_generation = tonumber(ARGV[1]), tonumber(ARGV[2])
local last = tonumber(redis.call('GET', KEYS[3]) or '0')
local vouched, quiet = tonumber(ARGV[5]), tonumber(ARGV[6])

local is_new = not known_signs
local is_behind = not is_new and (signs < known_signs or generation < known_generation)
-- Whoever lost the same as the replica that noticed it first needs no other generation, as long as nothing is rebuilt.
local is_quiet = redis.call('GET', KEYS[4]) == text(generation)
local is_known_loss = is_quiet and generation > known_generation
-- A replica that does not know the shard takes the word of those that do.
local is_alone = is_new and last > 0 and now - last > vouched
local needs_renewal = generation == 0 or is_alone or (is_behind and not is_known_loss)

if (needs_renewal or is_behind) and ARGV[3] ~= '1' then return { 0, text(generation), text(signs), 0, 0 } end
if needs_renewal then
  generation = math.max(now, generation + 1, known_generation + 1)
  redis.call('SET', KEYS[1], text(generation))
  if is_behind then redis.call('SET', KEYS[4], text(generation), 'PX', quiet) end
end
signs = math.max(signs, known_signs or 0) + 1
redis.call('SET', KEYS[2], text(signs), 'PX', ARGV[4])
redis.call('SET', KEYS[3], text(now))
local left = 0
if is_behind then
  left = quiet
elseif is_quiet and not needs_renewal then
  left = math.max(0, redis.call('PTTL', KEYS[4]))
end
return { 1, text(generation), text(signs), (needs_renewal and is_alone) and 1 or 0, left }
