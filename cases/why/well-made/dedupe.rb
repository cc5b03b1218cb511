# Finds files with the same content: only those of the same size are read.
same = Dir.each_child('deep/a/b/c1/d').map { |name| "deep/a/b/c1/d/#{name}" }
same += Dir.each_child('flat').first(300).map { |name| "flat/#{name}" }
by_size = same.group_by { |path| File.size(path) }.values.select { |paths| paths.size > 1 }
groups = by_size.flat_map { |paths| paths.group_by { |path| File.binread(path) }.values }
puts groups.sum { |paths| paths.size - 1 }
