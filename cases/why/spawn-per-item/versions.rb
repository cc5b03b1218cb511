# Lists which of the tools in a folder say that they are new.
def version(folder, number)
  `cat #{folder}/f#{number} | tr -d '\n'`
end

count = (0...60).count { |number| version(ARGV[0], number).include?("2") }
puts count
