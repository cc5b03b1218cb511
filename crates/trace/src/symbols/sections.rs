//! What the sections of an ELF file say about the language that it was made from.

use memchr::memmem;
use object::Endianness;
use object::elf::{FileHeader64, SHT_NOBITS};
use object::read::elf::{FileHeader as _, SectionHeader as _};
use object::read::{ReadCache, ReadRef as _};

use super::executable::Executable;
use crate::Language;
use crate::lisp_core;

/// No more than this is read of a section.
const MOST: u64 = 64 << 20;

/// The sections that show a language. What they hold is read when it is asked for.
pub(super) struct Sections {
    data: ReadCache<Executable>,
    is_go: bool,
    is_lisp: bool,
    /// Names of libraries, of functions taken from them or offered to them.
    dynamic: Option<Part>,
    /// Names of all functions, unless they were stripped.
    names: Option<Part>,
    /// What compilers say about themselves.
    comment: Option<Part>,
    /// Texts.
    constants: Option<Part>,
}

/// A part of a file.
#[derive(Clone, Copy)]
struct Part {
    begin: u64,
    size: u64,
}

impl Sections {
    /// `None` if it is no ELF file of 64 bits.
    pub(super) fn open(path: &[u8]) -> Option<Sections> {
        let mut file = Executable::open(path).ok()?;
        let is_lisp = lisp_core::is_behind(&mut file);
        let (dynamic, names, comment, constants) = Default::default();
        let data = ReadCache::new(file);
        let mut found =
            Sections { data, is_go: false, is_lisp, dynamic, names, comment, constants };
        let data = &found.data;
        let header = FileHeader64::<Endianness>::parse(data).ok()?;
        let endian = header.endian().ok()?;
        let table = header.sections(endian, data).ok()?;
        for section in table.iter().filter(|section| section.sh_type(endian) != SHT_NOBITS) {
            let size = section.sh_size(endian).min(MOST);
            let part = Some(Part { begin: section.sh_offset(endian), size });
            match table.section_name(endian, section).unwrap_or_default() {
                b".go.buildinfo" | b".gopclntab" | b".note.go.buildid" => found.is_go = true,
                b".dynstr" => found.dynamic = part,
                b".strtab" => found.names = part,
                b".comment" => found.comment = part,
                b".rodata" => found.constants = part,
                _ => {}
            }
        }
        Some(found)
    }

    /// The language that it interprets, if it is known to.
    pub(super) fn interpreter(&self) -> Option<Language> {
        let has = |name: &str| self.holds(self.dynamic, name);
        if has("Py_BytesMain") || has("Py_Main") || has("Py_RunMain") {
            Some(Language::Python)
        } else if has("napi_create_function") {
            Some(Language::Node)
        } else if has("ruby_run_node") {
            Some(Language::Ruby)
        } else if has("JLI_Launch") || has("JNI_CreateJavaVM") {
            Some(Language::Java)
        } else if self.is_lisp || has("libecl.so") {
            Some(Language::Lisp)
        } else {
            None
        }
    }

    /// The language that it was compiled from, if that shows.
    pub(super) fn compiled(&self) -> Option<Language> {
        let is_cpp = || {
            ["libstdc++.so", "libc++.so", "__gxx_personality_v0"]
                .iter()
                .any(|name| self.holds(self.dynamic, name) || self.holds(self.names, name))
                || self.holds(self.constants, "St9exception")
        };
        let has_rust = || {
            self.holds(self.comment, "rustc version")
                || self.holds(self.names, "rust_eh_personality")
                || self.holds(self.constants, "/rustc/")
        };
        if self.is_go {
            Some(Language::Go)
        } else if has_rust() && (self.holds(self.names, "lang_start") || !is_cpp()) {
            Some(Language::Rust)
        } else if is_cpp() {
            Some(Language::Cpp)
        } else {
            None
        }
    }

    /// Whether a section holds a word. Price: `lseek` and `read` the first time.
    fn holds(&self, part: Option<Part>, word: &str) -> bool {
        let bytes = part.and_then(|part| (&self.data).read_bytes_at(part.begin, part.size).ok());
        memmem::find(bytes.unwrap_or_default(), word.as_bytes()).is_some()
    }
}
