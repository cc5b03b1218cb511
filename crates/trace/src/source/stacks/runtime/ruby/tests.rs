//! What Ruby programs themselves say of their functions, and what was read from memory.

use super::super::super::trial::Folder;
use super::super::trial::{Marked, by_its_own_account, marked, with_lies};
use super::*;
use crate::source::stacks::runtime::copies::Copies;

/// It writes down by `caller_locations` where it is, wherever it makes a marked call. Methods that
/// are written in C have the line of their caller there: they are known by their names.
const PROGRAM: &str = r#"
FOUND = []
OF_C = %w[each map times sort call eval instance_eval require load sort_by send define_method
          Integer#times Array#each initialize new each_with_index tap loop resume]
def mark(name)
  begin; File.open("/trial/#{name}"); rescue SystemCallError; end; at = __LINE__
  stack = [["mark", __FILE__, at]]
  caller_locations.each { |it| stack << [it.label, it.path, it.lineno] }
  stack.reject! { |label, path, _| OF_C.include?(label) || path.start_with?("<internal") }
  FOUND << [name, *stack].join("\t")
end
class Store
  def fetch(deep)
    return fetch(
      deep - 1) if deep > 0
    mark("method")
  end
  def each_page
    yield 1
  end
  mark("class")
end
def plain; mark("plain"); end
plain
Store.new.fetch(3)
Store.new.each_page { mark("block") }
[1].each { |n| [2].map { mark("nested") } }
eval("\n\nplain", binding, "(text)", 1)
[2, 1].sort { |a, b| mark("sort"); a <=> b }
lambda { mark("lambda") }.call
Fiber.new { mark("fiber") }.resume
def größe; mark("utf8"); end
größe
def down(n) n > 0 ? down(n - 1) : mark("deep") end
down(300)
begin
  raise "x"
rescue
  mark("rescue")
ensure
  mark("ensure")
end
def long(n)
LONG
end
long(1)
load File.join(__dir__, "helper.rb")
File.write(ARGV[0], FOUND.join("\n") + "\n")
"#;

#[test]
fn functions_are_as_ruby_itself_tells_them() {
    let folder = Folder::new("ruby");
    let (script, helper, output) =
        (folder.0.join("t.rb"), folder.0.join("helper.rb"), folder.0.join("found"));
    // Lines far apart, and far into the code: that is beyond the first part of the table.
    let long: String = (0..300).map(|i| format!("n += {i}\nmark('l') if n == {i}\n\n")).collect();
    std::fs::write(&script, PROGRAM.replace("LONG", &(long + "mark('long')"))).unwrap();
    std::fs::write(&helper, "\n\nmark('file')\nplain\n").unwrap();
    let found =
        marked(&["ruby", "--disable-gems", script.to_str().unwrap(), output.to_str().unwrap()]);
    let expected = by_its_own_account(&output);
    for (found, expected) in found.iter().zip(&expected) {
        let of_script = |it: &&(String, String, u32)| it.1.ends_with(".rb") || it.1 == "(text)";
        let functions = found.functions.iter().filter(of_script).cloned().collect();
        assert_eq!(&Marked { mark: found.mark.clone(), functions }, expected);
    }
    assert_eq!(found.len(), expected.len());
    assert!(found.len() > 15, "{}", found.len());
}

#[test]
fn threads_and_children_have_their_own_functions() {
    let folder = Folder::new("ruby-threads");
    let script = folder.0.join("t.rb");
    let text = "def look(name)\n  File.open('/trial/' + name) rescue nil\nend\n\
        def other\n  look('thread')\nend\n\
        Thread.new { other }.join\n\
        def child\n  look('child')\n  exit!\nend\n\
        child if fork.nil?\n\
        Process.wait\n\
        look('main')\n";
    std::fs::write(&script, text).unwrap();
    let found = marked(&["ruby", "--disable-gems", script.to_str().unwrap()]);
    for (mark, expected) in [
        ("thread", &[("look", 2), ("other", 5), ("block in <main>", 7)][..]),
        ("child", &[("look", 2), ("child", 9), ("<main>", 12)]),
        ("main", &[("look", 2), ("<main>", 14)]),
    ] {
        let found = found.iter().find(|found| found.mark == mark).unwrap();
        let own = found.functions.iter().filter(|it| it.1 == script.to_str().unwrap());
        let own: Vec<_> = own.map(|it| (it.0.as_str(), it.2)).collect();
        assert_eq!(own, expected, "{mark}");
    }
}

#[test]
fn memory_that_lies_is_read_to_an_end() {
    let layout = Layout::of(3, 1).unwrap();
    // An execution context, four frames of the same code, the code, its body.
    let mut words = vec![0u64; 96];
    let start = words.as_ptr() as u64;
    let at = |word: usize| start + 8 * word as u64;
    let (frames, environment, code, body) = (8, 48, 50, 56);
    (words[0], words[1], words[2]) = (at(frames), 32, at(frames));
    for one in 0..4 {
        let frame = frames + 8 * one;
        words[frame + frame::INSTRUCTION / 8] = at(80);
        words[frame + frame::CODE / 8] = at(code);
        words[frame + frame::ENVIRONMENT / 8] = at(environment);
    }
    words[code + 2] = at(body);
    words[body] = 5 << 32;
    words[body + 1] = at(80);
    let this = std::process::id().cast_signed();
    let read = || {
        let found = Copies::default().with(this, |memory| links(memory, &layout, start));
        let found = found.unwrap_or_default();
        for link in &found {
            code::location(this, &layout, link.code, link.instruction);
        }
        found.len()
    };
    assert_eq!(read(), 4);
    with_lies(&mut words, FUNCTIONS, read);
}
