-- Makes 300 pages of a template that is read once.
local file = assert(io.open("template.html"))
local template = file:read("a")
file:close()
for number = 1, 300 do
  local page = assert(io.open("site-lua/" .. number .. ".html", "w"))
  local body = string.rep("a paragraph ", number)
  page:write((template:gsub("%$title", "Page " .. number):gsub("%$body", body)))
  page:close()
end
