//! The header and this crate agree: sizes, offsets and numbers, as a C compiler sees them.
//!
//! Each struct and constant is in a table here once; the C program that prints the C side is
//! generated from the same table. No struct has padding, so the fields fill it: a field that is
//! added on one side, or forgotten here, makes a sum wrong.

use std::fs;
use std::mem::{align_of, offset_of, size_of};
use std::path::{Path, PathBuf};
use std::process::Command;

use fewer::lines::Batch;
use fewer::walk::{Failure, Record};

use crate::calls::CallCount;
use crate::error::Position;
use crate::metadata::{CStat, CTime};
use crate::zone::CCivil;
use crate::{lines, list, metadata, snapshot, space, walk};

/// A struct: its name in C, its size and alignment, and name, offset and size of each field.
struct Layout {
    name: &'static str,
    size: usize,
    alignment: usize,
    fields: Vec<(&'static str, usize, usize)>,
}

macro_rules! layouts {
    ($($name:ident = $type:ty { $($field:ident)* })*) => {
        vec![$(Layout {
            name: stringify!($name),
            size: size_of::<$type>(),
            alignment: align_of::<$type>(),
            fields: vec![$((
                stringify!($field),
                offset_of!($type, $field),
                size_of_field(|it: &$type| &it.$field),
            )),*],
        }),*]
    };
}

fn size_of_field<T, F>(_field: fn(&T) -> &F) -> usize {
    size_of::<F>()
}

fn layouts() -> Vec<Layout> {
    layouts! {
        fewer_position = Position { line offset column }
        fewer_time = CTime { seconds nanoseconds known }
        fewer_stat = CStat {
            inode size allocated device_major device_minor accessed modified changed created links
            user group special_major special_minor permissions kind reserved
        }
        fewer_text = walk::Text { bytes length }
        fewer_walk_options = walk::WalkOptions {
            flags threads kinds max_threads max_depth min_depth globs globs_count exclude_globs
            exclude_globs_count since record reserved
        }
        fewer_entry = Record { inode path path_length name name_length depth kind target reserved }
        fewer_failure = Failure {
            path path_length message message_length before number action
        }
        fewer_walk_batch = walk::WalkBatch {
            bytes bytes_length entries entries_count failures failures_count directory
            directory_length directory_depth reserved
        }
        fewer_snapshot_facts = snapshot::SnapshotFacts {
            entries directories bytes has_stat reserved
        }
        fewer_change = snapshot::CChange { path path_length from from_length change kind }
        fewer_change_batch = snapshot::ChangeBatch { bytes bytes_length changes changes_count }
        fewer_space = space::CSpace { entries size allocated }
        fewer_size_options = space::SizeOptions { flags reserved depth }
        fewer_size_row = space::SizeRow { space path path_length depth kind }
        fewer_size_batch = space::SizeBatch {
            bytes bytes_length rows rows_count failures failures_count
        }
        fewer_extension = space::CExtension { space name name_length is_rest reserved }
        fewer_extreme = space::CExtreme { value time path path_length }
        fewer_summary_facts = space::SummaryFacts {
            bytes bytes_length directories files links other extensions extensions_count largest
            largest_count deepest longest newest oldest failures failures_count
        }
        fewer_civil = CCivil {
            year offset_seconds month day hour minute second weekday yearday reserved
        }
        fewer_list_options = list::ListOptions { flags fields order threads owners }
        fewer_row = list::CRow {
            stat name name_length target target_length user_name user_name_length group_name
            group_name_length number target_number
        }
        fewer_list_batch = list::ListBatch { bytes bytes_length rows rows_count }
        fewer_lines_options = lines::LinesOptions { flags check threads block_bytes }
        fewer_lines_batch = lines::LinesBatch {
            bytes bytes_length ends flags lines_count number offset
        }
        fewer_lines_column = lines::LinesColumn {
            bytes bytes_length offsets lines_count is_ascii is_utf8
        }
        fewer_lines_total = lines::LinesTotal { lines ends bytes }
        fewer_call_count = CallCount { name count }
    }
}

fn constants() -> Vec<(String, u64)> {
    let mut all = Vec::new();
    let mut add = |prefix: &str, name: &str, number: u64| {
        all.push((format!("FEWER_{prefix}{}", name.to_uppercase()), number));
    };
    macro_rules! add {
        ($prefix:literal, $room:ident: $($name:ident)*) => {
            $(add($prefix, stringify!($name), u64::from($room::$name));)*
        };
    }
    add("", "ABI_VERSION", crate::version::fewer_abi_version().into());
    for kind in fewer::Kind::ALL {
        add("", &format!("{kind:?}"), kind as u64);
    }
    add("ACTION_", "OTHER", 0);
    for (name, action) in fewer::Action::ALL {
        add("ACTION_", name, action.number().into());
    }
    add!("FIELD_", metadata: KIND PERMISSIONS OWNER SIZE LINKS INODE ALLOCATED ACCESSED MODIFIED
        CHANGED CREATED ALL);
    add!("WALK_", walk: SORTED FOLLOW ONE_FILE_SYSTEM GITIGNORE SKIP_HIDDEN MAX_DEPTH IGNORE_CASE
        FULL_PATH BY_DIRECTORY TARGETS);
    add!("LIST_", list: SKIP_HIDDEN DOTS FOLLOW LINKS KINDS REVERSE DIRECTORIES_FIRST);
    for (number, by) in (0..).zip(list::ORDERS) {
        let text = format!("{by:?}");
        let name = text.strip_prefix("Time(").and_then(|text| text.strip_suffix(')'));
        add("BY_", name.unwrap_or(&text), number);
    }
    for (number, level) in (1..).zip(walk::LEVELS) {
        add("RECORD_", &format!("{level:?}"), number);
    }
    for change in fewer::snapshot::ChangeKind::ALL {
        add("CHANGE_", change.name(), change as u64);
    }
    add!("SIZE_", space: FILES COUNT_LINKS);
    add!("LINES_", lines: NUL CRLF READ_AHEAD);
    for (number, check) in (0..).zip(lines::CHECKS) {
        add("CHECK_", &format!("{check:?}"), number);
    }
    add!("LINE_", Batch: ASCII UTF8 ENDED CRLF);
    all
}

/// A C program that prints one line for each size, offset and number of the tables.
fn program() -> String {
    let mut lines = String::new();
    let mut print = |label: &str, value: &str| {
        lines += &format!("    printf(\"{label} %llu\\n\", (unsigned long long)({value}));\n");
    };
    for Layout { name, fields, .. } in layouts() {
        print(name, &format!("sizeof({name})"));
        print(&format!("{name} alignment"), &format!("_Alignof({name})"));
        for (field, ..) in fields {
            print(&format!("{name}.{field}"), &format!("offsetof({name}, {field})"));
            let size = format!("sizeof((({name} *)0)->{field})");
            print(&format!("{name}.{field} size"), &size);
        }
    }
    for (name, _) in constants() {
        print(&name, &name);
    }
    format!("#include <fewer.h>\n#include <stdio.h>\nint main(void) {{\n{lines}    return 0;\n}}\n")
}

/// The output that is expected of that program.
fn expected() -> String {
    let mut lines = String::new();
    let mut print = |label: &str, value: u64| lines += &format!("{label} {value}\n");
    for Layout { name, size, alignment, fields } in layouts() {
        print(name, size as u64);
        print(&format!("{name} alignment"), alignment as u64);
        for (field, offset, size) in fields {
            print(&format!("{name}.{field}"), offset as u64);
            print(&format!("{name}.{field} size"), size as u64);
        }
    }
    for (name, number) in constants() {
        print(&name, number);
    }
    lines
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The header without its comments.
fn header() -> String {
    let text = fs::read_to_string(root().join("include/fewer.h")).unwrap();
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |code, part| code + part.split_once("*/").unwrap().1)
}

#[test]
fn a_c_compiler_sees_the_layouts_and_numbers_that_rust_does() {
    let folder = std::env::temp_dir().join(format!("fewer-layout-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("layout.c"), program()).unwrap();
    let built = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o", "layout", "layout.c", "-I"])
        .arg(root().join("include"))
        .current_dir(&folder)
        .status()
        .unwrap();
    assert!(built.success());
    let printed = Command::new(folder.join("layout")).output().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    assert!(printed.status.success());
    let printed = String::from_utf8(printed.stdout).unwrap();
    for (c, rust) in printed.lines().zip(expected().lines()) {
        assert_eq!(c, rust, "in C, in Rust");
    }
    assert_eq!(printed, expected());
}

#[test]
fn the_fields_fill_their_structs() {
    for Layout { name, size, fields, .. } in layouts() {
        let mut end = 0;
        for (field, offset, size) in fields {
            assert_eq!(offset, end, "{name}.{field}");
            end += size;
        }
        assert_eq!(end, size, "{name}");
    }
}

#[test]
fn every_struct_and_constant_of_the_header_is_in_the_tables() {
    let header = header();
    let structs = header.split("typedef struct ").skip(1).filter_map(|text| text.split_once(" {"));
    let structs: Vec<&str> =
        structs.map(|(name, _)| name).filter(|name| !name.contains(';')).collect();
    let known = layouts();
    assert_eq!(structs, known.iter().map(|layout| layout.name).collect::<Vec<_>>());

    let words = header.split(|byte: char| !(byte.is_ascii_alphanumeric() || byte == '_'));
    let mut named: Vec<&str> = words.filter(|word| word.starts_with("FEWER_")).collect();
    named.sort_unstable();
    named.dedup();
    // The guard against a second inclusion, and a macro that takes a number.
    named.retain(|name| !["FEWER_H", "FEWER_KIND", "FEWER_CALL_NAME"].contains(name));
    let constants = constants();
    let mut known: Vec<&str> = constants.iter().map(|(name, _)| name.as_str()).collect();
    known.sort_unstable();
    assert_eq!(named, known);
}

/// Which linkers for Windows make an import library of.
#[test]
fn the_list_of_functions_is_that_of_the_header() {
    let header = header();
    let words = header.split(|byte: char| !(byte.is_ascii_alphanumeric() || "_(".contains(byte)));
    let functions = words.filter_map(|word| word.split_once('(')).map(|(name, _)| name);
    let mut functions: Vec<&str> = functions.filter(|name| name.starts_with("fewer_")).collect();
    functions.sort_unstable();
    let listed = fs::read_to_string(root().join("crates/ffi/fewer.def")).unwrap();
    let listed = listed.lines().filter_map(|line| line.strip_prefix("    "));
    assert_eq!(functions, listed.collect::<Vec<_>>());
}

#[test]
fn the_bits_that_are_taken_are_those_that_have_a_name() {
    let all = [
        ("FEWER_FIELD_", metadata::ALL),
        ("FEWER_WALK_", walk::ALL),
        ("FEWER_LIST_", list::ALL),
        ("FEWER_SIZE_", space::ALL),
        ("FEWER_LINES_", lines::ALL),
    ];
    for (prefix, taken) in all {
        let bits = constants().into_iter().filter(|(name, _)| name.starts_with(prefix));
        assert_eq!(bits.fold(0, |all, (_, bit)| all | bit), u64::from(taken), "{prefix}");
    }
}
