# Greets everybody in a list in the language that the settings name.
def setting(name)
  File.readlines("settings", chomp: true).each do |line|
    key, value = line.split("=", 2)
    return value if key == name
  end
  nil
end

def greet(person)
  "#{setting('greeting')}, #{person}#{setting('mark')}"
end

File.readlines(ARGV[0], chomp: true).each { |person| puts greet(person) }
