<?php
// Writes a table of squares to a file.

function row(int $number): string
{
    return "$number\t" . $number ** 2 . "\n";
}

function table(string $path, int $last): void
{
    file_put_contents($path, implode('', array_map('row', range(1, $last))));
}

table($argv[1], 3000);
