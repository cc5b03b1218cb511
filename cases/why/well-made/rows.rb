# Sums a column, and writes what was read through one file.
sum = 0
File.open('rows-ruby', 'w') do |out|
  File.foreach('rows.csv') do |line|
    id, name, number = line.chomp.split(',')
    sum += number.to_i
    out.puts "#{name};#{id}"
  end
end
puts sum
