<?php
// Adds the tax to each amount of a list.

class Taxes
{
    public function rate(string $kind): int
    {
        $rates = parse_ini_string(file_get_contents('rates.ini'));
        return (int) $rates[$kind];
    }

    public function with(int $amount, string $kind): int
    {
        return $amount + intdiv($amount * $this->rate($kind), 100);
    }
}

$taxes = new Taxes();
$sum = 0;
foreach (file($argv[1], FILE_IGNORE_NEW_LINES) as $line) {
    [$kind, $amount] = explode(' ', $line);
    $sum += $taxes->with((int) $amount, $kind);
}
echo "$sum\n";
