-- wrk -s placekeeper.lua URL -- KIND DATA [SIZE] [FILL] [FIRST]
--   hello         GET /livez, which is answered from memory
--   latest        the latest compatible archive, 200 with 4 KB
--   not-modified  the same request with If-None-Match, 304
--   upload        a new archive of SIZE bytes (4096, 35840 or 307200) with a new id; every body is different. FILL is
--                 `random` (cannot be compressed) or `text` (words)
--   mixed         nine `latest` requests for each `upload`
-- FIRST is the number of the first thread. Processes that run at the same time need different numbers of their threads,
-- because an archive's id and the order of the devices depend on them.
-- DATA is the folder that prepare.py filled with tokens, archives to vary, and entity tags. `not-modified` uses the first
-- half of the devices, and `upload` and `mixed` use the second half, so that the entity tags of the first half stay current.
local threads = 0
function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

local function lines(path)
  local all = {}
  for line in io.lines(path) do all[#all + 1] = line end
  return all
end

local function half(list, isSecond)
  local middle, part = math.floor(#list / 2), {}
  for i = isSecond and middle + 1 or 1, isSecond and #list or middle do part[#part + 1] = list[i] end
  return part
end

local context = "?idiom=phone&layout=compact&bundleVersion=42&systemVersion=17.4"
local reads, writes, bodies = {}, {}, {}
local kind, at, made = "hello", 0, 0

local function prepareReads(tokens, tags)
  for i, token in ipairs(tokens) do
    local fields = { Authorization = "Bearer " .. token }
    if tags then fields["If-None-Match"] = tags[i] end
    reads[i] = wrk.format("GET", "/v1/scenes/main/archives/latest" .. context, fields)
  end
end

-- Returns `count` bytes.
local function noise(count, fill)
  local pieces, length = {}, 0
  if fill == "text" then
    local words = {}
    for i = 1, 400 do
      local letters = {}
      for j = 1, math.random(2, 9) do letters[j] = string.char(math.random(97, 122)) end
      words[i] = table.concat(letters) .. " "
    end
    while length < count do
      pieces[#pieces + 1] = words[math.random(1, #words)]
      length = length + #pieces[#pieces]
    end
  else
    for i = 1, count do pieces[i] = string.char(math.random(0, 255)) end
  end
  return table.concat(pieces):sub(1, count)
end

local function prepareWrites(tokens, data, size, fill)
  local file = io.open(data .. "/archive-" .. size .. ".bplist", "rb")
  local archive = file:read("*a")
  file:close()
  local first, last = unpack(lines(data .. "/vary-" .. size))
  first, last = tonumber(first), tonumber(last)
  local before, after = archive:sub(1, first), archive:sub(last + 1)
  local length = last - first
  math.randomseed(42 + number)
  -- The bodies of a thread take at most 16 MB. Their number and the number of devices have no common factor, so a
  -- device uploads a body again only after all others.
  local count = ({ [4096] = 4007, [35840] = 457, [307200] = 53 })[size]
  local bytes = noise(length + count, fill)
  for i = 0, count - 1 do bodies[i + 1] = before .. bytes:sub(i + 1, i + length) .. after end
  for i, token in ipairs(tokens) do
    writes[i] = " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " .. token ..
      "\r\nContent-Type: application/x-plist\r\nContent-Length: " .. #archive .. "\r\n\r\n"
  end
end

function init(args)
  kind = args[1] or "hello"
  number = number + tonumber(args[5] or 0)
  local data = args[2]
  if kind == "hello" then
    reads[1] = wrk.format("GET", "/livez")
  else
    local tokens = lines(data .. "/tokens")
    local changes = kind == "upload" or kind == "mixed"
    if changes or kind == "not-modified" then tokens = half(tokens, changes) end
    if kind == "not-modified" then prepareReads(tokens, half(lines(data .. "/entity-tags"))) else prepareReads(tokens) end
    if changes then
      prepareWrites(tokens, data, tonumber(args[3] or 4096), args[4] or "random")
    end
  end
  math.randomseed(os.time() + number)
  at = math.random(1, 1000)
  session = math.random(0, 0xFFFF)
  epoch = os.time()
end

local function upload()
  made = made + 1
  local id = string.format("%08x-%04x-4%03x-8000-%012x", epoch, session, number, made)
  return "PUT /v1/scenes/main/archives/" .. id .. writes[at % #writes + 1] .. bodies[made % #bodies + 1]
end

function request()
  at = at + 1
  if kind == "upload" or (kind == "mixed" and at % 10 == 0) then return upload() end
  return reads[at % #reads + 1]
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format('JSON {"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"errors":%d,"refused":%d}\n', summary.requests,
    summary.duration, latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.timeout, e.status))
end
