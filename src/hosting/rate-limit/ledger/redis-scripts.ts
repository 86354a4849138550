/**
 * The scripts with which Redis assigns slots. All times are from Redis's clock.
 *
 * KEYS[1]: hash of the whole ledger. `since` is the time since which Redis has recorded all calls.
 * For each fingerprint, `until:…` is when its last slot becomes free, and `pause:…` holds the start
 * and end of its pause.
 * KEYS[2]: sorted set of a key's slots in use, by the time at which they become free.
 * KEYS[3]: sorted set of the processes in which people wait for a key's slots, by the time until
 * which background calls yield to them.
 * ARGV[1] to ARGV[4]: fingerprint, slot, expiration and hold in ms.
 *
 * Each script returns its time, alone or first.
 *
 * Each script first drops the slots that are free, and finds out whether Redis lost calls: it has no
 * `since`, or fewer slots than it recorded. If the clock of Redis went back, times that are
 * too far ahead are shortened to the longest possible ones.
 */
const prelude = `
local ledger, slots, people = KEYS[1], KEYS[2], KEYS[3]
local fingerprint, slot, expiration, hold = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function text(number) return string.format('%.0f', number) end
local function last_free()
  local last = redis.call('ZREVRANGE', slots, 0, 0, 'WITHSCORES')
  return tonumber(last[2] or 0)
end
local function occupy(until_ms)
  redis.call('ZADD', slots, text(until_ms), slot)
  redis.call('PEXPIRE', slots, 2 * expiration)
  redis.call('HSET', ledger, 'until:' .. fingerprint, text(last_free()))
end
local function release()
  redis.call('ZREM', slots, slot)
  redis.call('HSET', ledger, 'until:' .. fingerprint, text(last_free()))
end

redis.call('ZREMRANGEBYSCORE', slots, '-inf', now)
local late = redis.call('ZRANGEBYSCORE', slots, now + expiration + 1, '+inf')
if #late > 0 then
  for _, member in ipairs(late) do redis.call('ZADD', slots, text(now + expiration), member) end
  redis.call('HSET', ledger, 'until:' .. fingerprint, text(last_free()))
end
local since = tonumber(redis.call('HGET', ledger, 'since'))
local last = tonumber(redis.call('HGET', ledger, 'until:' .. fingerprint) or 0)
if not since or since > now or (last > now and last_free() < last) then
  since = now
  redis.call('HSET', ledger, 'since', text(since))
  redis.call('HSET', ledger, 'until:' .. fingerprint, text(last_free()))
end
local from, paused = string.match(redis.call('HGET', ledger, 'pause:' .. fingerprint) or '0 0', '(%d+) (%d+)')
from, paused = tonumber(from), tonumber(paused)
if from > now then
  paused = now + paused - from
  redis.call('HSET', ledger, 'pause:' .. fingerprint, text(now) .. ' ' .. text(paused))
end
`;

/**
 * Takes a slot. ARGV[5] on: lane, line, the limits of the key, the background lane and the line,
 * the process, whether other people's calls wait in it (1 or 0), and the two durations for which
 * background calls yield. Returns \`now\`, whether it is granted, the wait, the reason and \`since\`.
 */
export const acquireScript = `${prelude}
local lane, line = ARGV[5], ARGV[6]
local limit, background_limit, line_limit = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local process, others_wait, people_first, grace = ARGV[10], ARGV[11], tonumber(ARGV[12]), tonumber(ARGV[13])
if redis.call('ZSCORE', slots, slot) then
  if paused > now then
    release()
    return {now, 0, paused - now, 'pause', since}
  end
  occupy(now + expiration)
  return {now, 1, 0, '', since}
end

local all, in_lane, in_line = {}, {}, {}
local held = redis.call('ZRANGE', slots, 0, -1, 'WITHSCORES')
for i = 1, #held, 2 do
  -- A call in flight can be answered now at the earliest.
  local free = math.min(tonumber(held[i + 1]), now + hold)
  local held_lane, held_line = string.match(held[i], '^([^|]*)|[^|]*|(.*)$')
  table.insert(all, free)
  if held_lane == lane then
    table.insert(in_lane, free)
    if held_line == line then table.insert(in_line, free) end
  end
end
local wait, reason = 0, ''
local function consider(name, until_ms)
  if until_ms - now > wait then wait, reason = until_ms - now, name end
end
consider('unknown', since + expiration)
consider('pause', paused)
consider('quota', all[#all - limit + 1] or 0)
if lane == 'background' then
  consider('lane', in_lane[#in_lane - background_limit + 1] or 0)
  redis.call('ZREMRANGEBYSCORE', people, '-inf', now)
  -- A person's call can have been rejected at its deadline.
  if others_wait == '0' then redis.call('ZREM', people, process) end
  -- Marks from before the clock went back are too far ahead.
  redis.call('ZREMRANGEBYSCORE', people, text(math.max(now + expiration, paused) + grace + 1), '+inf')
  if redis.call('ZCARD', people) > 0 then consider('people', now + people_first) end
end
if line ~= '' then consider('line', in_line[#in_line - line_limit + 1] or 0) end

if wait > 0 then
  if lane == 'people' and reason ~= 'line' then
    redis.call('ZADD', people, text(now + wait + grace), process)
    redis.call('PEXPIRE', people, wait + 2 * grace)
  end
  return {now, 0, wait, reason, since}
end
if lane == 'people' and others_wait == '0' then redis.call('ZREM', people, process) end
occupy(now + expiration)
return {now, 1, 0, '', since}
`;

/** Holds the slot for a window from now. */
export const answeredScript = `${prelude}
occupy(now + hold)
return now
`;

/** Frees the slot of a call that was not sent. */
export const cancelScript = `${prelude}
release()
return now
`;

/** Pauses a key for ARGV[5] ms, unless its pause is longer. */
export const pauseScript = `${prelude}
local until_ms = now + tonumber(ARGV[5])
if until_ms > paused then
  redis.call('HSET', ledger, 'pause:' .. fingerprint, text(now) .. ' ' .. text(until_ms))
end
return now
`;

/** Returns \`now\`, how long a call of the key is blocked, why, and the slots in use. */
export const loadScript = `${prelude}
local unknown = since + expiration - now
local reason = 'pause'
if unknown > paused - now then reason = 'unknown' end
local held = redis.call('ZRANGE', slots, 0, -1, 'WITHSCORES')
for i = 2, #held, 2 do held[i] = math.min(tonumber(held[i]) - now, hold) end
return {now, math.max(0, unknown, paused - now), reason, held}
`;

/**
 * Changes the time since which Redis has recorded all calls, if it is still ARGV[5]. It becomes
 * ARGV[6] ms before now.
 */
export const setSinceScript = `${prelude}
if ARGV[5] == 'any' or redis.call('HGET', ledger, 'since') == ARGV[5] then
  redis.call('HSET', ledger, 'since', text(now - tonumber(ARGV[6])))
end
return now
`;
