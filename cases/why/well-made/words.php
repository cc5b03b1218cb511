<?php
// Counts the words of files that have relative names, each read once.
$words = 0;
foreach (scandir('flat') as $name) {
    if ($name[0] !== '.') {
        $words += str_word_count(file_get_contents("flat/$name"));
    }
}
echo $words, "\n";
