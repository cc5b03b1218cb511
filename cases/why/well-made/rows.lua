-- Sums a column, and writes what was read through one file.
local sum = 0
local out = assert(io.open("rows-lua", "w"))
for line in io.lines("rows.csv") do
  local id, name, number = line:match("^(%d+),([^,]*),(%d+)$")
  sum = sum + tonumber(number)
  out:write(name, ";", id, "\n")
end
out:close()
print(sum)
