//! The functions of a Lisp program that SBCL has compiled: its frames are linked by the frame
//! pointer, and each piece of code says which functions are in it, and which form is where.
//!
//! | module | what is in it |
//! |---|---|
//! | `layout` | what differs from version to version |
//! | `code` | from an address to the code object and the function in it |
//! | `functions` | the functions of a code object |
//! | `places` | the forms that the instructions of a function come from |
//! | `objects` | symbols, lists, strings and vectors of numbers |
//! | `forms` | from the number of a form to its line in the source |

mod code;
mod forms;
mod functions;
mod layout;
mod objects;
mod places;

use self::code::CodeObject;
use self::layout::{Heap, Layout};
use super::super::words::Word;
use super::super::{StoppedThread, maps};
use super::copies::{Copies, Memory};
use super::threads::Threads;
use super::{Begun, Frames, Loaded, Runtime, Script, Unwinder};
use crate::source::memory;
use crate::source::registers::Registers;
use rustc_hash::FxHashMap;

/// SBCL of a version whose objects are known. Its runtime is a program in C; the functions of Lisp
/// come from a core, which is no ELF file.
pub(super) const RUNTIME: Runtime = Runtime {
    name: "Lisp",
    is_file: |name| name.starts_with(b"sbcl"),
    needs: &["page_table", "all_threads"],
    also: &[],
    runs: &[],
    begin,
};

/// At most so many frames.
const DEEPEST: usize = 128;

/// A frame is no larger.
const LARGEST_FRAME: u64 = 1 << 20;

/// Places in code that are kept. When there are more, all are forgotten.
const KEPT: usize = 1 << 14;

/// The runtime takes no more of the address space.
const LARGEST_RUNTIME: u64 = 64 << 20;

/// So much of the runtime's constants is looked through.
const LARGEST_CONSTANTS: usize = 4 << 20;

/// A Lisp in an address space.
struct Lisp {
    layout: &'static Layout,
    /// Where the native stack came to code of Lisp.
    entry: Option<Registers>,
    known: FxHashMap<u64, Option<Known>>,
    threads: Threads,
}

/// A place in code that was seen. It is the same as long as the code object's head is: its size,
/// and where the names of its functions are.
struct Known {
    object: CodeObject,
    script: Script,
}

fn begin(process: libc::pid_t, loaded: &Loaded) -> Begun {
    let version = version(process, loaded).unwrap_or_default();
    let Some(layout) = layout::of(&version) else {
        return Err(format!("its version, {version}, is not known"));
    };
    let (known, threads) = Default::default();
    Ok(Box::new(Lisp { layout, entry: None, known, threads }))
}

/// The version that the runtime prints for `--version`: a constant without a name.
fn version(process: libc::pid_t, loaded: &Loaded) -> Option<String> {
    let table = std::fs::read(format!("/proc/{process}/maps")).ok()?;
    let variable = loaded.address("page_table")?;
    // A core in the same file lies elsewhere.
    let is_near = |part: &maps::Mapping| part.start.abs_diff(variable) < LARGEST_RUNTIME;
    let constants = maps::parse(&table).filter(|part| part.name == loaded.path);
    let constants = constants.filter(|part| !part.executable && is_near(part));
    let found = constants.into_iter().filter_map(|part| {
        let length = usize::try_from(part.end - part.start).ok()?.min(LARGEST_CONSTANTS);
        let mut bytes = Vec::new();
        memory::ranges(process, &[(part.start, length)], &mut bytes);
        highest_version(&bytes)
    });
    let (_, text) = found.max()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// The highest version among constants, and its text, which begins with three numbers. A zlib that
/// is linked in has one, too: 1.2 or 1.3, where SBCL is at 2.
fn highest_version(constants: &[u8]) -> Option<([u32; 3], Vec<u8>)> {
    let texts = constants.split(|&byte| byte == 0);
    let versions = texts.filter_map(|text| {
        let mut parts = text.split(|&byte| byte == b'.');
        let mut number = || {
            let part = parts.next().filter(|part| part.iter().all(u8::is_ascii_digit))?;
            std::str::from_utf8(part).ok()?.parse().ok()
        };
        let version = [number()?, number()?, number()?];
        // Four numbers are an address of the network.
        number().is_none().then(|| (version, text.to_vec()))
    });
    versions.max()
}

impl Unwinder for Lisp {
    fn compiled(&mut self, entry: Option<Registers>) {
        self.entry = entry;
    }

    fn functions(
        &mut self,
        stopped: StoppedThread,
        _registers: &Registers,
        frames: Frames,
    ) -> Vec<Script> {
        let Lisp { layout, entry, known, threads } = self;
        let thread = stopped.thread;
        if known.len() > KEPT {
            known.clear();
        }
        let scripts = threads.read(thread, |memory| {
            let Some(entry) = entry else { return Some(Vec::new()) };
            let returns = returns(memory, entry).into_iter();
            let mut heap = Heap { memory, layout };
            let script = |address| script(&mut heap, thread, address, known, frames);
            Some(returns.filter_map(script).collect())
        });
        scripts.unwrap_or_default()
    }

    fn words(&self, thread: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        self.threads.words(thread, words)
    }
}

/// Where the functions go on that the thread is in, innermost first.
fn returns(memory: &mut Memory, entry: &Registers) -> Vec<u64> {
    let (mut returns, mut frame) = (vec![entry.ip], entry.fp);
    while returns.len() < DEEPEST {
        let Some([outer, address]) = memory.words(frame) else { break };
        returns.push(address);
        if outer <= frame || outer - frame > LARGEST_FRAME {
            break;
        }
        frame = outer;
    }
    returns
}

/// The function at an address. `None` if it is none of Lisp.
fn script(
    heap: &mut Heap,
    process: libc::pid_t,
    address: u64,
    known: &mut FxHashMap<u64, Option<Known>>,
    frames: Frames,
) -> Option<Script> {
    match known.get(&address) {
        Some(None) => return None,
        Some(Some(Known { object, script }))
            if heap.memory.words(object.code) == Some(object.head) =>
        {
            return Some(*script);
        }
        _ => {}
    }
    let layout = heap.layout;
    let found = Copies::default()
        .with(process, |memory| code::locate(&mut Heap { memory, layout }, process, address));
    let found = match found {
        // The head is needed, which is looked at here among the rest for the first time.
        Some((object, _)) if heap.memory.words(object.code) != Some(object.head) => {
            return heap.memory.doubted();
        }
        Some((object, location)) => {
            let script = Script { frame: frames(location), is_last: false };
            Some(Known { object, script })
        }
        None => heap.memory.doubted(),
    };
    let script = found.as_ref().map(|found| found.script);
    known.insert(address, found);
    script
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use super::super::super::trial::{Folder, marked};
    use super::super::trial::with_lies;
    use super::*;

    #[test]
    fn the_version_is_sbcls_own_and_not_that_of_what_is_linked_in() {
        let texts =
            ["1.2.11", "a.1.1", "2.2.9.debian", "1.2.13", "127.0.0.1", " 2.9.9", "...", "9"];
        let constants = texts.join("\0");
        let found =
            highest_version(constants.as_bytes()).map(|found| String::from_utf8(found.1).unwrap());
        assert_eq!(found.as_deref(), Some("2.2.9.debian"));
        assert_eq!(highest_version(b"sbcl"), None);
    }

    const PROGRAM: &str = r#";; A program
(defun look (mark)
  "No (list)."
  (open mark :if-does-not-exist nil)
  nil)

(defun middle (n) ; (none)
  (flet ((inner (mark)
           (list
            (look mark))))
    (declare (notinline inner))
    (list (inner "/trial/flet")
          (dotimes (i n)
            #-sbcl (print 'nothing)
            (list (look
                   "/trial/loop"))))))

(defmethod visit ((n integer))
  (list
   (middle n)))
(defun (setf place) (value)
  (list (look value)))

(list (mapcar (lambda (x)
                (list x
                      (look "/trial/lambda")))
              (list 1)))
(visit 1)
(setf (place) "/trial/setf")
(let ((x '(1 (2))))
  (list x `(a ,(look "/trial/top"))))
"#;

    /// What is expected of a mark: the program's functions and lines, the innermost first.
    const EXPECTED: [(&str, &[(&str, u32)]); 5] = [
        ("flet", &[("LOOK", 4), ("(FLET INNER :IN MIDDLE)", 10), ("MIDDLE", 12)]),
        ("loop", &[("LOOK", 4), ("MIDDLE", 15)]),
        ("lambda", &[("LOOK", 4), ("", 26)]),
        ("setf", &[("LOOK", 4), ("(SETF PLACE)", 22)]),
        ("top", &[("LOOK", 4), ("", 31)]),
    ];

    fn look_at(program: &Path, arguments: &[&str], source: &str, marks: usize) {
        let found = marked(program, arguments);
        for (mark, expected) in &EXPECTED[..marks] {
            let stack = found.iter().find(|stack| stack.mark == *mark).expect(mark);
            let own = stack.locations.iter().filter(|it| it.1 == source);
            let own: Vec<(&str, u32)> = own.map(|it| (&*it.0, it.2)).collect();
            assert!(own.len() >= expected.len(), "{mark}: {:#?}", stack.locations);
            for (found, expected) in own.iter().zip(*expected) {
                assert_eq!(found.1, expected.1, "{mark}: {own:?}");
                assert!(expected.0.is_empty() || found.0 == expected.0, "{mark}: {own:?}");
            }
        }
    }

    #[test]
    fn functions_and_lines_of_a_script_of_a_compiled_file_and_of_a_saved_image() {
        let sbcl = Path::new("/usr/bin/sbcl");
        if !sbcl.exists() {
            return;
        }
        let folder = Folder::new("sbcl");
        let [source, compiled, image] = ["t.lisp", "t.fasl", "image"].map(|it| folder.0.join(it));
        std::fs::write(&source, PROGRAM).unwrap();
        let [source, compiled] = [&source, &compiled].map(|path| path.to_str().unwrap());
        let all = EXPECTED.len();
        look_at(sbcl, &["--script", source], source, all);
        let evaluate = |words: &[&str]| {
            let mut command = Command::new(sbcl);
            let output = command.args(["--noinform", "--non-interactive"]).args(words).output();
            assert!(output.unwrap().status.success(), "{words:?}");
        };
        evaluate(&["--eval", &format!("(compile-file {source:?})")]);
        look_at(sbcl, &["--script", compiled], source, all);
        let main = "(lambda () (visit 1) (exit))";
        let save = format!("(save-lisp-and-die {image:?} :executable t :toplevel {main})");
        evaluate(&["--load", source, "--eval", &save]);
        look_at(&image, &[], source, 2);
    }

    /// A code object, what it needs, and two frames in it, in memory of this process.
    struct Made {
        words: Vec<u64>,
        first: usize,
        entry: Registers,
        layout: &'static Layout,
    }

    /// The function is listed by `list`, which gets where that begins, the name, and NIL.
    fn made(version: &str, list: impl FnOnce(&mut dyn FnMut(usize, &[u64]), [u64; 3])) -> Made {
        let layout = layout::of(version).unwrap();
        // In front of a code object so much is read as well; objects begin at even words.
        let mut words = vec![0u64; 2 * 4096 + 130];
        let first = 2 * 4096 + usize::from(!(words.as_ptr() as u64).is_multiple_of(16));
        let start = words.as_ptr() as u64;
        let at = |word: usize| start + 8 * (first + word) as u64;
        let mut put = |from: usize, values: &[u64]| {
            words[first + from..first + from + values.len()].copy_from_slice(values);
        };
        let (code, info, source, function) = (32, 64, 74, 80);
        let (symbol, name, file, nil) = (92, 100, 104, 108);
        // A frame that was called by one; both are in the code.
        put(0, &[at(4), at(code + 8), 0, 0, 0, at(code + 8)]);
        put(code, &[16 << 32 | layout.code, 32]);
        put(code + layout.info, &[at(info) + 3]);
        put(info, &[layout.structure, 0, at(source) + 3]);
        put(source, &[layout.structure, at(file) + 15, 0, 0, 0]);
        put(symbol, &[0x2d]);
        let name_in = usize::try_from(layout.symbol_name / 8).unwrap();
        put(symbol + name_in, &[at(name) + 15]);
        put(name, &[225, 4 << 1, u64::from_le_bytes(*b"WORK\0\0\0\0")]);
        put(file, &[225, 4 << 1, u64::from_le_bytes(*b"SYS:\0\0\0\0")]);
        let end = at(nil) + 7;
        put(nil, &[end, end]);
        list(&mut put, [at(function), at(symbol) + 15, end]);
        let entry = Registers { ip: at(code + 8), sp: at(0), fp: at(0), ..Registers::default() };
        Made { words, first, entry, layout }
    }

    #[test]
    fn memory_that_lies_is_read_to_an_end() {
        let (info, function) = (64, 80);
        let packed = 0x40 << 9;
        let chained = |put: &mut dyn FnMut(usize, &[u64]), [at, symbol, end]: [u64; 3]| {
            put(info + 3, &[at + 3]);
            put(function, &[0x39, symbol, 0, 0, 0, 0, 0, packed, end]);
        };
        let shared = |put: &mut dyn FnMut(usize, &[u64]), [at, symbol, end]: [u64; 3]| {
            put(info + 3, &[at + 3, 0, 0]);
            put(function, &[0x59, symbol, 0, 0, 0, 0, packed, end]);
        };
        // No variables and no places, and where it is from, is, and is out of the way.
        let bytes = u64::from_le_bytes([8, 8 + 64, 0, 0, 0, 0x40, 0, 0]);
        let map = |word: usize| {
            move |put: &mut dyn FnMut(usize, &[u64]), [at, symbol, _]: [u64; 3]| {
                put(info + 1, &[symbol]);
                put(info + 1 + word, &[at + 15, 0]);
                put(function, &[157, 6 << 1, bytes]);
            }
        };
        look_at_lies(made("2.2.9", chained));
        look_at_lies(made("2.1.1", shared));
        look_at_lies(made("2.5.2", map(3)));
        look_at_lies(made("2.6.4", map(4)));
    }

    fn look_at_lies(made: Made) {
        let Made { mut words, first, entry, layout } = made;
        let this = std::process::id().cast_signed();
        let read = || {
            let (mut known, mut names) = (FxHashMap::default(), Vec::new());
            let mut frames = |location: crate::Location| {
                names.push(location.function);
                crate::FrameId(1)
            };
            let found = Copies::default().with(this, |memory| {
                let returns = returns(memory, &entry).into_iter();
                let mut heap = Heap { memory, layout };
                let found = returns.filter_map(|address| {
                    script(&mut heap, this, address, &mut known, &mut frames)
                });
                found.count()
            });
            (found, names)
        };
        assert_eq!(read(), (3, vec!["WORK".to_owned()]), "{}", layout.version);
        with_lies(&mut words[first..], DEEPEST, || read().0);
    }
}
