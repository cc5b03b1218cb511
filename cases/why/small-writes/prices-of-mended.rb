# Prints a list of prices.

class Catalogue
  def initialize(count)
    @count = count
  end

  def show(number)
    $stdout.write "article #{number}: #{number * 3 % 100} EUR\n"
  end

  def show_all
    @count.times { |number| show(number) }
  end
end

Catalogue.new(ARGV[0].to_i).show_all
