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

/// The sections that show a language, empty where there are none.
#[derive(Debug, Default)]
pub(super) struct Sections {
    is_go: bool,
    is_lisp: bool,
    /// Names of libraries, of functions taken from them or offered to them.
    dynamic: Vec<u8>,
    /// Names of all functions, unless they were stripped.
    names: Vec<u8>,
    /// What compilers say about themselves.
    comment: Vec<u8>,
    /// Texts.
    constants: Vec<u8>,
}

impl Sections {
    /// `None` if it is no ELF file of 64 bits.
    pub(super) fn open(path: &[u8]) -> Option<Sections> {
        let mut file = Executable::open(path).ok()?;
        let is_lisp = lisp_core::is_behind(&mut file);
        let data = ReadCache::new(file);
        let data = &data;
        let header = FileHeader64::<Endianness>::parse(data).ok()?;
        let endian = header.endian().ok()?;
        let table = header.sections(endian, data).ok()?;
        let mut found = Sections { is_lisp, ..Sections::default() };
        for section in table.iter().filter(|section| section.sh_type(endian) != SHT_NOBITS) {
            let bytes = || {
                let size = section.sh_size(endian).min(MOST);
                let bytes = data.read_bytes_at(section.sh_offset(endian), size);
                bytes.map(<[u8]>::to_vec).unwrap_or_default()
            };
            match table.section_name(endian, section).unwrap_or_default() {
                b".go.buildinfo" | b".gopclntab" | b".note.go.buildid" => found.is_go = true,
                b".dynstr" => found.dynamic = bytes(),
                b".strtab" => found.names = bytes(),
                b".comment" => found.comment = bytes(),
                b".rodata" => found.constants = bytes(),
                _ => {}
            }
        }
        Some(found)
    }

    /// The language that it interprets, if it is known to.
    pub(super) fn interpreter(&self) -> Option<Language> {
        let has = |name: &str| holds(&self.dynamic, name);
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
        let runs_rust = holds(&self.names, "lang_start");
        let is_cpp = ["libstdc++.so", "libc++.so", "__gxx_personality_v0"]
            .iter()
            .any(|name| holds(&self.dynamic, name) || holds(&self.names, name))
            || holds(&self.constants, "St9exception");
        let has_rust = holds(&self.comment, "rustc version")
            || holds(&self.names, "rust_eh_personality")
            || holds(&self.constants, "/rustc/");
        if self.is_go {
            Some(Language::Go)
        } else if has_rust && (runs_rust || !is_cpp) {
            Some(Language::Rust)
        } else if is_cpp {
            Some(Language::Cpp)
        } else {
            None
        }
    }
}

fn holds(bytes: &[u8], word: &str) -> bool {
    memmem::find(bytes, word.as_bytes()).is_some()
}
