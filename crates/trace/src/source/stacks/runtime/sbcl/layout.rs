//! How a version of SBCL lays out what is read of it, on x86-64. The numbers are those that SBCL
//! itself gives: `sb-vm:code-header-widetag` and its like, and the slots of the structures by
//! `sb-kernel:dd-slots`.

use super::super::copies::Memory;

/// A version's layout.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) version: &'static str,
    /// The lowest byte of what a code object begins with, and a structure.
    pub(super) code: u64,
    pub(super) structure: u64,
    /// By how much the kinds of vectors of numbers lie below those of most versions.
    pub(super) below: u64,
    /// In which word of a code object its debug information is.
    pub(super) info: usize,
    /// How far into a symbol its name is, in bytes.
    pub(super) symbol_name: u64,
    pub(super) functions: Functions,
    /// Whether forms in what is quoted have numbers (`sub-find-source-paths`).
    pub(super) in_quoted: bool,
}

/// How debug information lists the functions of a code object.
#[derive(Debug)]
pub(super) enum Functions {
    /// In structures, each with the next one.
    Chained(Chained),
    /// One behind the other in a vector of bytes.
    Packed(Packed),
}

/// In which words of a function's structure things are.
#[derive(Debug)]
pub(super) struct Chained {
    /// `tlf-number`; `None` where `tlf-num+offset` of the debug information says it, with the
    /// position of the outermost form.
    pub(super) top: Option<usize>,
    /// `encoded-locs`; the next function is in the word behind it.
    pub(super) locations: usize,
}

/// In which words of the debug information things are.
#[derive(Debug)]
pub(super) struct Packed {
    /// `fun-map`; `contexts`, with the names, is in the word behind it.
    pub(super) map: usize,
    /// Whether each block of places says what follows it, and how many places are in it.
    pub(super) has_blocks: bool,
}

/// The lowest kind of strings; those of vectors of numbers lie below.
pub(super) const BASE_STRING: u64 = 225;

/// The most words that any of them is behind.
pub(super) const WORDS: usize = 8;

const V2_2_9: Layout = Layout {
    version: "2.2.9",
    code: 0x35,
    structure: 0x39,
    below: 0,
    info: 2,
    symbol_name: 40,
    functions: Functions::Chained(Chained { top: Some(3), locations: 6 }),
    in_quoted: false,
};

/// All that are known.
const LAYOUTS: [Layout; 4] = [
    Layout {
        version: "2.1.1",
        code: 0x31,
        structure: 0x59,
        below: 4,
        symbol_name: 32,
        functions: Functions::Chained(Chained { top: None, locations: 5 }),
        ..V2_2_9
    },
    V2_2_9,
    Layout {
        version: "2.5.2",
        info: 3,
        functions: Functions::Packed(Packed { map: 3, has_blocks: false }),
        ..V2_2_9
    },
    Layout {
        version: "2.6.4",
        info: 3,
        functions: Functions::Packed(Packed { map: 4, has_blocks: true }),
        in_quoted: true,
        ..V2_2_9
    },
];

/// The layout of a version, as it prints itself: `2.2.9.debian`.
pub(super) fn of(version: &str) -> Option<&'static Layout> {
    LAYOUTS.iter().find(|layout| {
        let rest = version.strip_prefix(layout.version);
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
    })
}

/// Memory, and how what is there is laid out.
pub(super) struct Heap<'m, 'c> {
    pub(super) memory: &'m mut Memory<'c>,
    pub(super) layout: &'static Layout,
}

impl Heap<'_, '_> {
    /// The kind of a vector or a string, as most versions have it.
    pub(super) fn kind(&self, header: u64) -> u64 {
        let kind = header & 0xff;
        if kind < BASE_STRING { kind + self.layout.below } else { kind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_the_same_one_with_what_a_distribution_adds() {
        let found = |version| of(version).map(|layout| layout.version);
        assert_eq!(found("2.2.9.debian"), Some("2.2.9"));
        assert_eq!(found("2.5.2"), Some("2.5.2"));
        for other in ["2.2.90", "2.5", "2.1.11.debian", "12.2.9", ""] {
            assert_eq!(found(other), None, "{other}");
        }
    }
}
