/**
 * What is done in Redis in one step. Keys, below a prefix: for each kind a stream `KIND` with the consumer group
 * `workers` and a stream `rejected:KIND`; `sender:ID`, the idempotency keys of a sender's pending submissions in their
 * order; `places`, kind and stream id by idempotency key; `failures`, attempts and last error by idempotency key;
 * `digest:ID`, state and key of a submission of the last day.
 *
 * A message that nobody has in hand stands in the group as idle for a day: whoever claims next may have it.
 */
const COMMON = `
local prefix, consumer = ARGV[1], ARGV[2]
local function stream(kind) return prefix .. ':' .. kind end
local function group(kind) redis.pcall('xgroup', 'create', stream(kind), 'workers', '0', 'mkstream') end
local function leave(kind, id) redis.call('xclaim', stream(kind), 'workers', consumer, 0, id, 'idle', 86400000, 'justid') end
local function field(entry, name)
  for at = 1, #entry[2], 2 do if entry[2][at] == name then return entry[2][at + 1] end end
  return ''
end
local function answer(kind, entry)
  return {entry[1], kind, field(entry, 'key'), field(entry, 'payload'), field(entry, 'sender'), field(entry, 'digest'),
    field(entry, 'created'), redis.call('hget', prefix .. ':failures', field(entry, 'key')) or ''}
end`;

/** A claim, or a put, looks at so many messages that it may not have. */
const LOOKS = 50;

/**
 * Adds a submission unless it is known: answers its state, its key, and itself where this instance has it in hand.
 * ARGV: kind, key, payload, sender, digest, created, seconds that it is known, whether to take it in hand, whether again.
 */
export const ADD = `${COMMON}
local kind, key, payload, sender, digest, created = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local known = redis.call('get', prefix .. ':digest:' .. digest)
if known and ARGV[11] == '' then
  local state, other = string.match(known, '^(%l+) (.+)$')
  if state == 'waiting' or state == 'refused' or kind ~= 'subscription' or other == key then return {state, other} end
end
group(kind)
local id = redis.call('xadd', stream(kind), '*', 'key', key, 'payload', payload, 'sender', sender, 'digest', digest,
  'created', created)
if sender ~= '' then redis.call('rpush', prefix .. ':sender:' .. sender, key) end
redis.call('hset', prefix .. ':places', key, kind .. ' ' .. id)
redis.call('set', prefix .. ':digest:' .. digest, 'waiting ' .. key, 'ex', ARGV[9])
if ARGV[10] == '' then return {'waiting', key} end
for _ = 1, ${LOOKS} do
  local new = redis.call('xreadgroup', 'group', 'workers', consumer, 'count', 1, 'streams', stream(kind), '>')
  if not new then break end
  local entry = new[1][2][1]
  if entry[1] == id then return {'waiting', key, answer(kind, entry)} end
  leave(kind, entry[1])
end
return {'waiting', key}`;

/**
 * The next messages of a kind that nobody has in hand and whose sender has no earlier one pending; or the milliseconds
 * until all instances together may have more; and where to look next. ARGV: kind, idle ms of what somebody has in hand
 * no longer, where to look, key of one that is not wanted, whose turn, ms of a turn, messages at most.
 */
export const CLAIM = `${COMMON}
local kind, cursor, turn, most = ARGV[3], ARGV[5], prefix .. ':turn:' .. ARGV[7], tonumber(ARGV[9])
local wait = redis.call('pttl', turn)
if wait > 0 then return {wait, cursor} end
group(kind)
local taken = {}
local function take(entry)
  local key, sender = field(entry, 'key'), field(entry, 'sender')
  local first = sender == '' or (redis.call('lindex', prefix .. ':sender:' .. sender, 0) or key) == key
  if key ~= ARGV[6] and first then taken[#taken + 1] = answer(kind, entry) else leave(kind, entry[1]) end
end
for _ = 1, ${LOOKS} do
  if #taken == most then break end
  local found = redis.call('xautoclaim', stream(kind), 'workers', consumer, ARGV[4], cursor, 'count', 1)
  cursor = found[1]
  if found[2][1] then take(found[2][1]) end
  if cursor == '0-0' then break end
end
for _ = 1, ${LOOKS} do
  if #taken == most then break end
  local new = redis.call('xreadgroup', 'group', 'workers', consumer, 'count', 1, 'streams', stream(kind), '>')
  if not new then break end
  take(new[1][2][1])
end
if #taken == 0 then return {0, cursor} end
redis.call('set', turn, '1', 'px', #taken * ARGV[8])
return {0, '0-0', unpack(taken)}`;

/** Takes a pending submission in hand, by its key. Nothing where somebody has it. ARGV: key, idle ms. */
export const HOLD = `${COMMON}
local kind, id = string.match(redis.call('hget', prefix .. ':places', ARGV[3]) or '', '^(%S+) (.+)$')
if not kind then return nil end
group(kind)
local entry = redis.call('xclaim', stream(kind), 'workers', consumer, ARGV[4], id)[1]
return entry and answer(kind, entry)`;

/**
 * A message is no longer pending, or goes to the end of its stream. Does nothing where it has been settled before.
 * ARGV: kind, id, state or 'aside', seconds that it is known, attempts and error, refused ones to keep.
 */
export const SETTLE = `${COMMON}
local kind, id, state = ARGV[3], ARGV[4], ARGV[5]
local entry = redis.call('xrange', stream(kind), id, id)[1]
if not entry then return 0 end
local key, sender, digest = field(entry, 'key'), field(entry, 'sender'), field(entry, 'digest')
redis.call('xack', stream(kind), 'workers', id)
redis.call('xdel', stream(kind), id)
if sender ~= '' then redis.call('lrem', prefix .. ':sender:' .. sender, 0, key) end
if state == 'aside' then
  local last = redis.call('xadd', stream(kind), '*', unpack(entry[2]))
  if kind ~= 'view' then redis.call('hset', prefix .. ':places', key, kind .. ' ' .. last) end
  return 1
end
redis.call('hdel', prefix .. ':places', key)
redis.call('hdel', prefix .. ':failures', key)
if digest ~= '' then redis.call('set', prefix .. ':digest:' .. digest, state .. ' ' .. key, 'ex', ARGV[6]) end
if state == 'refused' then
  redis.call('xadd', prefix .. ':rejected:' .. kind, 'maxlen', ARGV[8], '*', 'failure', ARGV[7], unpack(entry[2]))
end
return 1`;
