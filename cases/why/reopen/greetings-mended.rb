# Greets everybody in a list in the language that the settings name.
SETTINGS = File.readlines("settings", chomp: true).to_h { |line| line.split("=", 2) }

def setting(name)
  SETTINGS[name]
end

def greet(person)
  "#{setting('greeting')}, #{person}#{setting('mark')}"
end

File.readlines(ARGV[0], chomp: true).each { |person| puts greet(person) }
