//! From a method and the position of an instruction in it to function, file and line.

use super::layout::{Layout, MethodLayout};
use super::packed::Packed;
use super::read::{bytes, integer, pointer};
use crate::Location;

/// No table of lines is longer, and none has more entries.
const LONGEST_TABLE: usize = 1 << 18;

/// The constant part of a method, as it lies in memory.
pub(super) struct Constant<'a> {
    /// Where.
    pub(super) at: u64,
    /// What is in it, from its beginning up to the instructions.
    pub(super) head: &'a [u8],
}

/// Where an instruction is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Position {
    /// By its number in the method: how many bytes are before it.
    Number(u64),
    /// By its address.
    Address(u64),
}

/// The location of an instruction. `Ok(None)` if it is code that the machine itself has made and
/// does not show: it stands between a lambda and who calls it.
pub(super) fn location(
    process: libc::pid_t,
    layout: &Layout,
    constant: &Constant,
    position: Option<Position>,
) -> Option<Option<Location>> {
    let method = &layout.method;
    let of_head = |field| super::read::integer_in(constant.head, field);
    let constants = super::read::pointer_in(constant.head, method.constants)?;
    let class = pointer(process, constants.checked_add(method.class)?)?;
    let class_name =
        text(process, method, pointer(process, class.checked_add(method.class_name)?)?)?;
    if is_hidden(&class_name) {
        return Some(None);
    }
    let entry = |number: u64| {
        let at = constants.checked_add(method.entries)?.checked_add(number.checked_mul(8)?)?;
        text(process, method, pointer(process, at)?)
    };
    let name = entry(of_head(method.name)?)?;
    let owner = if method.file_in_class { class } else { constants };
    let file = match integer(process, owner, method.file)? {
        0 => format!("{}.class", outermost(&class_name)),
        number => entry(number)?,
    };
    let line = position.and_then(|position| line(process, layout, constant, position));
    let function = format!("{}.{name}", class_name.replace('/', "."));
    Some(Some(Location { function, file, line: line.unwrap_or(0) }))
}

/// Whether a class has no source: it was made for a lambda or a method handle.
fn is_hidden(class: &str) -> bool {
    let of_handles = class.strip_prefix("java/lang/invoke/");
    class.contains("$$Lambda")
        || of_handles.is_some_and(|it| it.starts_with("LambdaForm$") || it.ends_with("$Holder"))
}

/// The name of the class in whose file a nested class is.
fn outermost(class: &str) -> &str {
    let name = class.rsplit('/').next().unwrap_or(class);
    name.split('$').find(|part| !part.is_empty()).unwrap_or(name)
}

/// A text: a `Symbol`.
fn text(process: libc::pid_t, method: &MethodLayout, symbol: u64) -> Option<String> {
    let length = integer(process, symbol, method.text_length)?;
    let text = bytes(process, symbol.checked_add(method.text)?, usize::try_from(length).ok()?)?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// The line of an instruction. The table of lines lies behind the instructions.
fn line(
    process: libc::pid_t,
    layout: &Layout,
    constant: &Constant,
    position: Position,
) -> Option<u32> {
    let method = &layout.method;
    let of_head = |field| super::read::integer_in(constant.head, field);
    let (length, start) = (of_head(method.length)?, constant.at.checked_add(method.size)?);
    let number = match position {
        Position::Number(number) => number,
        Position::Address(address) => address.checked_sub(start)?,
    };
    if number >= length || of_head(method.flags)? & method.has_lines == 0 {
        return None;
    }
    let mut size = 256;
    loop {
        let mut table = vec![0; size];
        let read = crate::source::memory::read(process, start.checked_add(length)?, &mut table);
        table.truncate(read.ok()?);
        match line_in(&table, number, layout.compiled.without_zero) {
            Found::Line(line) => return line,
            // It does not end here.
            Found::TooShort if table.len() == size && size < LONGEST_TABLE => size *= 16,
            Found::TooShort => return None,
        }
    }
}

/// What a table says of an instruction.
#[derive(Debug, Eq, PartialEq)]
enum Found {
    Line(Option<u32>),
    TooShort,
}

/// The line of an instruction by a packed table (`code/compressedStream.hpp`,
/// `CompressedLineNumberWriteStream`): an entry is how many instructions and lines further it is;
/// in one byte, or behind 255 in two integers. 0 ends it. They are not always in order.
fn line_in(table: &[u8], instruction: u64, without_zero: bool) -> Found {
    let mut packed = Packed::new(table, without_zero);
    let (mut at, mut line) = (0i64, 0i64);
    let mut best: Option<(i64, i64)> = None;
    loop {
        let (further, lines) = match packed.byte() {
            Some(0) => break,
            Some(255) => match (packed.signed(), packed.signed()) {
                (Some(further), Some(lines)) => (further, lines),
                _ => return Found::TooShort,
            },
            Some(both) => (i32::from(both >> 3), i32::from(both & 7)),
            None => return Found::TooShort,
        };
        (at, line) = (at + i64::from(further), line + i64::from(lines));
        let Ok(instruction) = i64::try_from(instruction) else { break };
        if at == instruction {
            best = Some((at, line));
            break;
        }
        if at < instruction && best.is_none_or(|best| at >= best.0) {
            best = Some((at, line));
        }
    }
    Found::Line(best.and_then(|best| u32::try_from(best.1).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_table() {
        // (0, 10), (3, 12), (40, 500), (8, 20).
        let table = [255, 0, 20, 3 << 3 | 2, 255, 74, 208, 12, 255, 63, 255, 11, 0];
        let line = |instruction| line_in(&table, instruction, false);
        assert_eq!(line(0), Found::Line(Some(10)));
        assert_eq!(line(2), Found::Line(Some(10)));
        assert_eq!(line(3), Found::Line(Some(12)));
        assert_eq!(line(40), Found::Line(Some(500)));
        assert_eq!(line(100), Found::Line(Some(500)));
        assert_eq!(line(8), Found::Line(Some(20)));
        assert_eq!(line_in(&table[..3], 7, false), Found::TooShort);
        assert_eq!(line_in(&[0], 7, false), Found::Line(None));
        assert_eq!(line_in(&[], 7, false), Found::TooShort);
        assert_eq!(line_in(&[255; 64], 1 << 40, false), Found::TooShort);
    }

    #[test]
    fn names_of_classes() {
        assert!(is_hidden("Main$$Lambda$14+0x0000000800c03000"));
        assert!(is_hidden("java/lang/invoke/LambdaForm$MH+0x00007f"));
        assert!(is_hidden("java/lang/invoke/Invokers$Holder"));
        assert!(!is_hidden("Main$Lambda"));
        assert!(!is_hidden("Main$Holder"));
        assert_eq!(outermost("com/example/Foo$Bar$1"), "Foo");
        assert_eq!(outermost("Main"), "Main");
    }
}
