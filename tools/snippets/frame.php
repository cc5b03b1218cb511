<?php
// Runs the snippets in the folder of the first argument, each in a folder of its own.
error_reporting(E_ALL);
ini_set('display_errors', 'stderr');
set_error_handler(function ($level, $message) {
    if (error_reporting() & $level) throw new ErrorException($message);
});

// What programs have of their own.
function enter(...$what) {}
function found(...$what) {}
function missing(...$what) {}
function handle(...$what) {}
function search(...$what) {}
function show(...$what) {}
function update(...$what) {}
function work(...$what) {}

function run(string $snippet) {
    [$path, $directory, $folder, $name] = ['file', 'folder', 'folder/new/sub', 'name'];
    [$from, $to, $number, $size, $when, $uid] = ['file', 'copy', 1, 2, 1000000000, 0];
    mkdir($directory);
    foreach ([$path, "$directory/$name"] as $file) file_put_contents($file, "line 1\nline 2\n");
    file_put_contents("$directory/local.php", "<?php\n");
    [$items, $lines, $names, $paths] = [['one', 'two'], ['one', 'two'], [$name], [$path]];
    [$line, $item, $text, $state, $host] = ['one', 'nothing', 'text', [], 'localhost'];
    $show_attributes = false;
    [$stream, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $ready = $stream;
    fwrite($other, 'x');
    $file = fopen($path, 'r');
    $out = fopen('out', 'w');
    ob_start();
    eval($snippet);
    while (ob_get_level()) ob_end_clean();
}

[, $snippets, $scratch] = $argv;
$failed = 0;
foreach (glob("$snippets/*") as $file) {
    $place = basename($file);
    mkdir("$scratch/$place");
    chdir("$scratch/$place");
    try {
        run(file_get_contents($file));
    } catch (Throwable $error) {
        while (ob_get_level()) ob_end_clean();
        $failed++;
        echo "$place: {$error->getMessage()}\n";
    }
}
exit($failed > 0 ? 1 : 0);
