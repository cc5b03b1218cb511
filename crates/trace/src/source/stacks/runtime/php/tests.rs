//! What PHP programs themselves say of their functions, and what was read from memory.

use super::super::super::trial::Folder;
use super::super::trial::{Marked, by_its_own_account, marked};

/// It writes down by `debug_backtrace` where it is, wherever it makes a marked call. PHP's own
/// functions have neither file nor line there, and are left out.
const PROGRAM: &str = r#"<?php
$found = [];
function mark($mark) {
    global $found;
    @fopen("/trial/$mark", 'r'); [$file, $line] = [__FILE__, __LINE__];
    $row = [$mark];
    foreach (debug_backtrace() as $frame) {
        $class = explode("\0", $frame['class'] ?? '')[0];
        $name = ($class ? "{$class}::" : '') . $frame['function'];
        if ($file !== null) array_push($row, $name, $file, $line);
        [$file, $line] = [$frame['file'] ?? null, $frame['line'] ?? null];
    }
    array_push($row, '{main}', $file, $line);
    $found[] = implode("\t", $row);
}
class Store {
    public function load($deep) {
        if ($deep) return $this->load(
            $deep - 1);
        mark('method');
    }
    public static function open() { mark('static'); }
    public function __get($name) { mark('magic'); return 1; }
    public function __destruct() { mark('destruct'); }
}
function plain() { mark('plain'); }
plain();
$store = new Store; $store->load(3); Store::open(); $store->nothing;
$closure = function () { mark('closure'); };
if (PHP_VERSION_ID < 80400) $closure();
$numbers = [2, 1];
usort($numbers, 'by_number');
function by_number($a, $b) { mark('sort'); return $a - $b; }
array_map('plain_of', [1]);
function plain_of($n) { plain(); }
eval("\n\nplain();");
function generate() { mark('next'); yield 1; mark('again'); }
foreach (generate() as $one) { }
function größe() { mark('utf8'); }
größe();
function down($n) { $n ? down($n - 1) : mark('deep'); }
down(300);
$store = null;
include __DIR__ . '/helper.php';
require __DIR__ . '/helper.php';
call_user_func(['Store', 'open']);
file_put_contents($argv[1], implode("\n", $found) . "\n");
"#;

#[test]
fn functions_are_as_php_itself_tells_them() {
    let folder = Folder::new("php");
    let (script, helper, output) =
        (folder.0.join("t.php"), folder.0.join("helper.php"), folder.0.join("found"));
    std::fs::write(&script, PROGRAM).unwrap();
    std::fs::write(&helper, "<?php\n\nmark('file');\nplain();\n").unwrap();
    let mut found = marked(&["php", script.to_str().unwrap(), output.to_str().unwrap()]);
    // Opening a file that is not there takes two calls.
    found.dedup();
    let mut expected = by_its_own_account(&output);
    expected.dedup();
    for (found, expected) in found.iter().zip(&expected) {
        let of_script = |it: &&(String, String, u32)| it.1.contains(".php");
        let functions = found.functions.iter().filter(of_script).cloned().collect();
        assert_eq!(&Marked { mark: found.mark.clone(), functions }, expected);
    }
    assert_eq!(found.len(), expected.len());
    assert!(found.len() > 15, "{}", found.len());
}
