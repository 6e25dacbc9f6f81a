/**
 * What is done in Redis in one step. Keys, below a prefix: for each kind a stream `KIND` with the consumer group
 * `workers`, and a stream `rejected:KIND`; `sender:ID`, the idempotency keys of a sender's pending submissions in their
 * order; `places`, kind and stream id by idempotency key; `failures`, attempts and last error by idempotency key;
 * `digest:ID`, state and key of a submission of the last day.
 *
 * A message that nobody has in flight is pending in the group with an idle time of a day: whoever claims next gets it.
 */
const COMMON = `
local prefix, consumer = ARGV[1], ARGV[2]
local function stream(kind) return prefix .. ':' .. kind end
local function group(kind) redis.pcall('xgroup', 'create', stream(kind), 'workers', '0', 'mkstream') end
local function release(kind, id) redis.call('xclaim', stream(kind), 'workers', consumer, 0, id, 'idle', 86400000, 'justid') end
local function field(entry, name)
  for at = 1, #entry[2], 2 do if entry[2][at] == name then return entry[2][at + 1] end end
  return ''
end
local function message(kind, entry)
  return {entry[1], kind, field(entry, 'key'), field(entry, 'payload'), field(entry, 'sender'), field(entry, 'created'),
    redis.call('hget', prefix .. ':failures', field(entry, 'key')) or '', field(entry, 'trace')}
end
local function append(kind, key, payload, sender, digest, created, trace)
  local id = redis.call('xadd', stream(kind), '*', 'key', key, 'payload', payload, 'sender', sender, 'digest', digest,
    'created', created, 'trace', trace)
  if kind == 'view' then return id end
  if sender ~= '' then redis.call('rpush', prefix .. ':sender:' .. sender, key) end
  redis.call('hset', prefix .. ':places', key, kind .. ' ' .. id)
  redis.call('set', prefix .. ':digest:' .. digest, 'waiting ' .. key, 'ex', 86400)
  return id
end`;

const REJECTED_VIEWS_KEPT = 1_000;
/** Messages that one call passes over because it may not have them. */
const MAX_PASSED_OVER = 50;

/**
 * Adds a submission unless it is a repeat. Returns its state and key, and itself where this instance has claimed it.
 * ARGV: kind, key, payload, sender, digest, created, traceparent, whether to claim it.
 */
export const ADD = `${COMMON}
local kind, key, digest = ARGV[3], ARGV[4], ARGV[7]
local known = redis.call('get', prefix .. ':digest:' .. digest)
if known then
  local state, other = string.match(known, '^(%l+) (.+)$')
  if state == 'waiting' or state == 'refused' or kind ~= 'subscription' or other == key then return {state, other} end
end
group(kind)
local id = append(kind, key, ARGV[5], ARGV[6], digest, ARGV[8], ARGV[9])
if ARGV[10] == '' then return {'waiting', key} end
for _ = 1, ${MAX_PASSED_OVER} do
  local new = redis.call('xreadgroup', 'group', 'workers', consumer, 'count', 1, 'streams', stream(kind), '>')
  if not new then break end
  local entry = new[1][2][1]
  if entry[1] == id then return {'waiting', key, message(kind, entry)} end
  release(kind, entry[1])
end
return {'waiting', key}`;

/**
 * Claims the next messages of a kind that nobody has in flight and whose sender has no earlier one pending. Returns the
 * milliseconds until all instances together may have more, where to look next, and the messages. ARGV: kind, idle ms
 * after which an instance is taken for dead, where to look, key of one that is not wanted, whose turn, ms of a turn,
 * messages at most.
 */
export const CLAIM = `${COMMON}
local kind, cursor, turn, most = ARGV[3], ARGV[5], prefix .. ':turn:' .. ARGV[7], tonumber(ARGV[9])
local wait = redis.call('pttl', turn)
if wait > 0 then return {wait, cursor} end
group(kind)
local claimed = {}
local function claim(entry)
  local key, sender = field(entry, 'key'), field(entry, 'sender')
  local first = sender == '' or (redis.call('lindex', prefix .. ':sender:' .. sender, 0) or key) == key
  if key ~= ARGV[6] and first then claimed[#claimed + 1] = message(kind, entry) else release(kind, entry[1]) end
end
for _ = 1, ${MAX_PASSED_OVER} do
  if #claimed == most then break end
  local found = redis.call('xautoclaim', stream(kind), 'workers', consumer, ARGV[4], cursor, 'count', 1)
  cursor = found[1]
  if found[2][1] then claim(found[2][1]) end
  if cursor == '0-0' then break end
end
for _ = 1, ${MAX_PASSED_OVER} do
  if #claimed == most then break end
  local new = redis.call('xreadgroup', 'group', 'workers', consumer, 'count', 1, 'streams', stream(kind), '>')
  if not new then break end
  claim(new[1][2][1])
end
if #claimed == 0 then return {0, cursor} end
redis.call('set', turn, '1', 'px', #claimed * ARGV[8])
return {0, '0-0', unpack(claimed)}`;

/** Claims a pending submission by its key. Nothing where an instance has it in flight. ARGV: key, idle ms. */
export const CLAIM_BY_KEY = `${COMMON}
local kind, id = string.match(redis.call('hget', prefix .. ':places', ARGV[3]) or '', '^(%S+) (.+)$')
if not kind then return nil end
group(kind)
local entry = redis.call('xclaim', stream(kind), 'workers', consumer, ARGV[4], id)[1]
return entry and message(kind, entry)`;

/**
 * Takes a message out of its stream, or moves it to the end. Does nothing where that has been done before.
 * ARGV: kind, id, state or 'back', attempts and error.
 */
export const COMPLETE = `${COMMON}
local kind, id, state = ARGV[3], ARGV[4], ARGV[5]
local entry = redis.call('xrange', stream(kind), id, id)[1]
if not entry then return 0 end
local key, sender, digest = field(entry, 'key'), field(entry, 'sender'), field(entry, 'digest')
redis.call('xack', stream(kind), 'workers', id)
redis.call('xdel', stream(kind), id)
if sender ~= '' then redis.call('lrem', prefix .. ':sender:' .. sender, 0, key) end
if state == 'back' then
  local last = redis.call('xadd', stream(kind), '*', unpack(entry[2]))
  if kind ~= 'view' then redis.call('hset', prefix .. ':places', key, kind .. ' ' .. last) end
  return 1
end
redis.call('hdel', prefix .. ':places', key)
redis.call('hdel', prefix .. ':failures', key)
if digest ~= '' then redis.call('set', prefix .. ':digest:' .. digest, state .. ' ' .. key, 'ex', 86400) end
if state == 'refused' then
  local rejected = prefix .. ':rejected:' .. kind
  redis.call('xadd', rejected, '*', 'failure', ARGV[6], unpack(entry[2]))
  if kind == 'view' then redis.call('xtrim', rejected, 'maxlen', ${REJECTED_VIEWS_KEPT}) end
end
return 1`;

/** Makes a rejected message pending again. Returns whether a message of this id was rejected or is pending. ARGV: kind, id. */
export const RETRY = `${COMMON}
local kind, id = ARGV[3], ARGV[4]
local rejected = prefix .. ':rejected:' .. kind
local entry = redis.call('xrange', rejected, id, id)[1]
if not entry then return #redis.call('xrange', stream(kind), id, id) end
group(kind)
append(kind, field(entry, 'key'), field(entry, 'payload'), field(entry, 'sender'), field(entry, 'digest'), field(entry, 'created'),
  field(entry, 'trace'))
redis.call('xdel', rejected, id)
return 1`;
