# Runs the snippets in the folder of the first argument, each in a folder of its own.
require 'fileutils'
require 'socket'
require 'timeout'

# What programs have of their own.
%i[enter found missing handle save search show update work].each do |name|
  define_method(name) { |*| nil }
end

def run(snippet)
  path, directory, folder, name = 'file', 'folder', 'folder/new/sub', 'name'
  from, to, number, size, at_time, uid = 'file', 'copy', 1, 2, 1_000_000_000, 0
  Dir.mkdir(directory)
  [path, "#{directory}/#{name}"].each { |it| File.write(it, "line 1\nline 2\n") }
  File.write('local.rb', '')
  items, lines, names, paths = %w[one two], %w[one two], [name], [path]
  line, item, state, show_attributes = 'one', 'nothing', {}, false
  socket, other = UNIXSocket.pair
  other.write('x')
  ready = socket
  file = File.open(path)
  out = File.open('out', 'w')
  # Where the snippet is, so that require_relative finds what is here.
  Timeout.timeout(5) { eval(snippet, binding, File.join(Dir.pwd, 'snippet.rb')) }
end

snippets, scratch = ARGV
failed = Dir["#{snippets}/*"].sort.count do |file|
  place = File.basename(file)
  Dir.mkdir("#{scratch}/#{place}")
  Dir.chdir("#{scratch}/#{place}")
  run(File.read(file))
  false
rescue StandardError, ScriptError => error
  puts "#{place}: #{error.class}: #{error.message}"
  true
end
exit(failed.zero?)
