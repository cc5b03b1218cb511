-- Wherever it looks at a marked path, that says in which functions and lines it is, innermost
-- first. A coroutine's functions are followed by those that it was resumed from.
local names, outer = {}, {}
local function here()
  local found, level = {}, 2
  local function add(info)
    if info.what ~= "C" then
      local place = "function <" .. info.source:sub(2) .. ":" .. info.linedefined .. ">"
      local name = info.what == "main" and "main chunk" or names[info.linedefined] or place
      found[#found + 1] = name .. " " .. info.currentline
    end
  end
  while debug.getinfo(level, "Sl") do
    add(debug.getinfo(level, "Sl"))
    level = level + 1
  end
  for at = #outer, 1, -1 do
    level = 0
    while debug.getinfo(outer[at], level, "Sl") do
      add(debug.getinfo(outer[at], level, "Sl"))
      level = level + 1
    end
  end
  return "/marked/" .. table.concat(found, ",")
end
local function named(name, what)
  names[debug.getinfo(what, "S").linedefined] = name
end
local function resume(each)
  outer[#outer + 1] = coroutine.running()
  coroutine.resume(each)
  outer[#outer] = nil
end
local function look() io.open(here()) end
local function two()
  look()
  io.open(here())
  for n = 1, 2 do io.open(here()) end
end
local function deep(n)
  if n > 0 then deep(n - 1) end
  io.open(here())
end
local Kept = {}
function Kept:all() io.open(here()) end
Kept.__index = function(t, k) io.open(here()) return 1 end
for name, what in pairs({ resume = resume, look = look, two = two, deep = deep }) do
  named(name, what)
end
named("Kept:all", Kept.all)
named("Kept.__index", Kept.__index)
for i = 0, 149 do
  look() two() deep(i % 9)
  Kept:all()
  local x = setmetatable({}, Kept).x
  local fresh = function() io.open(here()) return i end
  named("fresh", fresh)
  fresh()
  table.sort({ 2, 1 }, function(a, b) io.open(here()) return a < b end)
  resume(coroutine.create(function() look()
    resume(coroutine.create(look))
    look()
  end))
  pcall(function() look() error("none") end)
  -- A text that is made anew where another was.
  load("look, here = ...;" .. ("\n"):rep(i % 3) .. "io.open(here())", "@made")(look, here)
  collectgarbage()
end
