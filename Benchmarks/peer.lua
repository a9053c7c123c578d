-- wrk -s peer.lua URL -- SIZE
-- Writes items of SIZE bytes to Hummingbird, each with other bytes than the write before.
local requests, at = {}, 0

function init(args)
  local size = tonumber(args[1])
  local count = ({ [35840] = 457, [307200] = 53 })[size]
  math.randomseed(42)
  local bytes = {}
  for i = 1, size + count do bytes[i] = string.char(math.random(0, 255)) end
  local noise = table.concat(bytes)
  -- The bodies and the 1,000 items have no common factor, so an item gets a body again only after all others.
  for i = 0, count - 1 do requests[i + 1] = noise:sub(i + 1, i + size) end
  at = math.random(1, 1000)
end

function request()
  at = at + 1
  return wrk.format("PUT", "/item/" .. at % 1000, nil, requests[at % #requests + 1])
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format('JSON {"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"errors":%d,"refused":%d}\n', summary.requests,
    summary.duration, latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.timeout, e.status))
end
