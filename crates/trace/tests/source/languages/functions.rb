# Wherever it looks at a marked path, that says by its own account in which functions and lines it
# is, innermost first. Methods that are written in C have the line of their caller.
OF_C = %w[each map times sort call eval resume new yield Integer#times Array#each define_method
          instance_eval << next]
def here
  own = caller_locations(1).reject { |it| OF_C.include?(it.label) || it.path[0] == '<' }
  '/marked/' + own.map { |it| "#{it.label} #{it.lineno}" }.join(',')
end
def look() File.exist?(here) end
def two
  look
  File.exist?(here)
  2.times { |n|
    File.exist?(here) }
end
def deep(n)
  deep(n - 1) if n > 0
  File.exist?(here)
end
def twice(n) n == 0 ? File.exist?(here) : [twice(n - 1),
  twice(n - 1)] end
def given
  yield
  yield
end
class Kept
  def <=>(other)
    File.exist?(here)
    0
  end
  def method_missing(name) File.exist?(here) end
end
each = Enumerator.new { |y| 200.times { |n|
  File.exist?(here)
  y << n } }
150.times do |i|
  look; two; deep(i % 9); twice(i % 4)
  given { File.exist?(here) }
  given { given { look } }
  fresh = lambda { File.exist?(here); i }
  fresh.call
  [Kept.new, Kept.new].sort
  Kept.new.missing
  each.next
  Fiber.new { look }.resume
  # Functions that are made anew where others were.
  text = "def fresh#{i % 2}() File.exist?(here) end\nfresh#{i % 2}"
  eval("\n" * (i % 3) + text, nil, 'functions.rb')
  begin
    i % 2 == 0 ? raise : look
  rescue
    File.exist?(here)
  ensure
    File.exist?(here)
  end
  GC.start if i % 50 == 0
end
