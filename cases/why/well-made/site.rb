# Makes 300 pages of a template that is read once.
require 'erb'

template = ERB.new(File.read('template.erb'))
Dir.mkdir('site-ruby') unless Dir.exist?('site-ruby')
300.times do |number|
  title = "Page #{number}"
  body = 'a paragraph ' * number
  File.write("site-ruby/#{number}.html", template.result(binding))
end
