-- Adds the tax of its region to each order; the rate is read once.

local function rate_of(path)
  local file = assert(io.open(path))
  local rate = tonumber(file:read("l"))
  file:close()
  return rate
end

local function taxed(amount, rate)
  return amount * (100 + rate) // 100
end

local sum, rate = 0, rate_of(arg[1])
for order = 1, 3000 do
  sum = sum + taxed(order, rate)
end
print(sum)
