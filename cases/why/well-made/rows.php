<?php
// Sums a column, and writes its lines at once.
$sum = 0;
$lines = [];
$file = fopen('rows.csv', 'r');
while (($row = fgetcsv($file, null, ',', '"', '')) !== false) {
    $sum += (int) $row[2];
    $lines[] = "$row[1];$row[0]\n";
}
fclose($file);
file_put_contents('rows-php', implode('', $lines));
echo "$sum\n";
