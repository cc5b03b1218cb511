-- Adds the tax of its region to each order; the rate is read for every one.

local function rate_of(path)
  local file = assert(io.open(path))
  local rate = tonumber(file:read("l"))
  file:close()
  return rate
end

local function taxed(amount, path)
  local rate = rate_of(path)
  return amount * (100 + rate) // 100
end

local sum = 0
for order = 1, 3000 do
  sum = sum + taxed(order, arg[1])
end
print(sum)
