<?php
// Makes 300 pages of a template that is read once.
$template = file_get_contents('template.html');
if (!is_dir('site-php')) {
    mkdir('site-php');
}
for ($number = 0; $number < 300; $number++) {
    $page = ['$title' => "Page $number", '$body' => str_repeat('a paragraph ', $number)];
    file_put_contents("site-php/$number.html", strtr($template, $page));
}
