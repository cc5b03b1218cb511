# Threads that run the same functions at the same time. Wherever they look at a marked path, that
# says by hand in which functions and lines they are, innermost first.
def near(n, mark) n > 0 ? near(n - 1, mark) : File.exist?(mark) end
def far
  File.exist?('/marked/far 5,block (4 levels) in <main> 12,block (3 levels) in <main> 10')
end
5.times do |turn|
  threads = 3.times.map do |n|
    Thread.new do
      100.times do
        near(0, '/marked/near 3,block (4 levels) in <main> 11,block (3 levels) in <main> 10')
        far if n > 0
      end
    end
  end
  100.times do
    mark = '/marked/' + 'near 3,' * (turn + 1)
    near(turn, mark + 'block (2 levels) in <main> 18,block in <main> 16,<main> 7')
  end
  threads.each(&:join)
end
