<?php
// Wherever it looks at a marked path, that says by its own account in which functions and lines it
// is, innermost first. PHP's own functions have no line.
function here() {
    $trace = debug_backtrace();
    $names = [];
    for ($line = $trace[0]['line'], $i = 1; $i < count($trace); $i++) {
        $frame = $trace[$i];
        $class = explode("\0", $frame['class'] ?? '')[0];
        if ($line !== null) $names[] = ($class ? "$class::" : '') . "$frame[function] $line";
        $line = $frame['line'] ?? null;
    }
    return '/marked/' . implode(',', [...$names, "{main} $line"]);
}
function look() { file_exists(here()); }
function two() {
    look();
    file_exists(here());
    foreach ([1, 2] as $n) file_exists(here());
}
function deep($n) { if ($n) deep($n - 1); file_exists(here()); }
function twice($n) {
    if (!$n) return file_exists(here());
    twice($n - 1);
    return twice($n - 1);
}
function some($n) { for ($i = 0; $i < $n; $i++) { file_exists(here()); yield $i; } }
function all($n) { foreach (some($n) as $x) yield $x; file_exists(here()); }
class Kept {
    function __get($name) { file_exists(here()); return 1; }
    static function all() { file_exists(here()); }
    function __destruct() { file_exists(here()); }
}
function by_number($a, $b) { file_exists(here()); return $a - $b; }
$kept = [];
for ($i = 0; $i < 150; $i++) {
    look(); two(); deep($i % 9); twice($i % 4);
    foreach (some(2) as $x);
    foreach (all(1) as $x);
    $kept[] = $more = some(2); $more->current();
    Kept::all();
    $one = new Kept; $one->missing; $one = null;
    $numbers = [2, 1]; usort($numbers, 'by_number');
    array_map('look_of', [1, 2]);
    // A text that is made anew where another was.
    eval(str_repeat("\n", $i % 3) . 'file_exists(here());');
    try { if ($i % 2) throw new Exception; look(); } catch (Exception $e) { file_exists(here()); }
}
function look_of($n) { look(); }
