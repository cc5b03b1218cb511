//! What PHP programs themselves say of their functions, and what was read from memory.

use super::super::super::StoppedThread;
use super::super::super::trial::Folder;
use super::super::trial::{Marked, by_its_own_account, marked};
use super::super::{Script, Unwinder as _};
use super::{PATIENCE, Php, frame, function};
use crate::FrameId;
use crate::source::registers::Registers;

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

/// An engine as it lies in memory: where the innermost frame is kept, the frame, its function, and
/// the instructions, as `LAYOUTS[0]` has them; a text is the file.
fn laid_out(text: &[u64; 4]) -> Vec<u64> {
    let mut words = vec![0u64; 64];
    let start = words.as_ptr() as u64;
    let (frame_at, function_at, instructions) = (8, 16, 48);
    let at = |word: usize| start + 8 * word as u64;
    words[0] = at(frame_at);
    words[frame_at + frame::INSTRUCTION / 8] = at(instructions);
    words[frame_at + frame::FUNCTION / 8] = at(function_at);
    words[function_at] = function::IS_OF_PROGRAM.into();
    words[function_at + 7] = 1 << 32;
    words[function_at + 8] = at(instructions);
    words[function_at + 17] = text.as_ptr() as u64;
    words[instructions + 3] = 7;
    words
}

/// What an engine's functions are, each time that it is asked, and why it gave up.
fn asked(words: &[u64], times: u32) -> (Vec<usize>, Option<String>) {
    let this = std::process::id();
    let stopped = StoppedThread { space: 0, process: this, thread: this.cast_signed() };
    let mut php = Php {
        current: words.as_ptr() as u64,
        threads: super::Threads::default(),
        seen: super::Seen::default(),
        odd: 0,
    };
    let mut found: Vec<usize> = (0..times)
        .map(|_| {
            let registers = Registers::default();
            let scripts: Vec<Script> = php.functions(stopped, &registers, &mut |_| FrameId(1));
            scripts.len()
        })
        .collect();
    found.dedup();
    (found, php.gave_up())
}

#[test]
fn memory_that_lies_has_no_functions_and_after_a_while_a_reason() {
    // The head of a text, its hash, its length, and its bytes.
    let text = [6 << 32, 0, 6, u64::from_ne_bytes(*b"/a.php\0\0")];
    let words = laid_out(&text);
    let copy = |at: usize, value: u64| {
        let mut words = laid_out(&text);
        words[at] = value;
        words
    };
    assert_eq!(asked(&words, PATIENCE), (vec![1], None));
    // No program is running.
    assert_eq!(asked(&copy(0, 0), PATIENCE), (vec![0], None));
    // Odd: the frame, its function, the instruction, how many there are, the file.
    for (at, value) in [(0, 12), (11, 4096), (8, 64), (16 + 7, 0), (16 + 17, 4096)] {
        let (found, why) = asked(&copy(at, value), PATIENCE);
        assert_eq!((found, why.is_some()), (vec![0], true), "{at}");
        assert_eq!(asked(&copy(at, value), PATIENCE - 1).1, None, "{at}");
    }
    // A frame that leads to itself.
    let mut circle = laid_out(&text);
    circle[8 + frame::OUTER / 8] = circle[0];
    assert_eq!(asked(&circle, 1), (vec![super::FUNCTIONS], None));
}
