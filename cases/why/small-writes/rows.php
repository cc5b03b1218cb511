<?php
// Writes a table of squares to a file.

function write_row($file, int $number): void
{
    fwrite($file, "$number\t" . $number ** 2 . "\n");
}

function table(string $path, int $last): void
{
    $file = fopen($path, 'w');
    for ($number = 1; $number <= $last; $number++) {
        write_row($file, $number);
    }
    fclose($file);
}

table($argv[1], 3000);
