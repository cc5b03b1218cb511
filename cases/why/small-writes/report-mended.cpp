// Writes a table of squares into a file.
#include <fstream>

int main(int, char **words)
{
    std::ofstream table(words[1]);

    for (long number = 1; number <= 10000; number++)
        table << number << ' ' << number * number << '\n';
    return table.good() ? 0 : 1;
}
