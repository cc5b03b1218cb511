//! The functions of a code object, as its debug information lists them: `src/code/debug-info.lisp`
//! and `src/compiler/debug-dump.lisp` of SBCL.

use super::layout::{Chained, Functions, Heap, Packed, WORDS};
use super::objects::{self, integer, skip_text};
use super::places::{Alive, Places};

/// At most so many functions are in one code object.
const FUNCTIONS: usize = 1 << 12;

/// Flags of a packed function: what is said of it.
const VARIABLES: u8 = 1;
const BLOCKS: u8 = 2;
const ARGUMENTS: u8 = 4;
const TOP: u8 = 8;
const CLOSURE: u8 = 16;
const BINDINGS: u8 = 32;
const SAME_NAME: u8 = 64;

/// Flags of a variable.
const PACKAGE: u8 = 2;
const SAVED: u8 = 8;
const SAME_VARIABLE: u8 = 16;
const MINIMAL: u8 = 32;
const DELETED: u8 = 64;
const INDIRECT: u8 = 128;

/// A function in a code object.
#[derive(Debug)]
pub(super) struct Function {
    /// Its name, as an object.
    pub(super) name: u64,
    /// Where its instructions begin, and those that are out of the way, from the object's on.
    pub(super) start: u64,
    pub(super) elsewhere: u64,
    /// The number of the outermost form, and of the function's own.
    pub(super) top: Option<u64>,
    pub(super) form: Option<u64>,
    /// Where the outermost form begins, if this is where that is said.
    pub(super) position: Option<u64>,
    pub(super) places: Places,
}

/// The function that an instruction of a code object belongs to.
pub(super) fn function(heap: &mut Heap, info: [u64; WORDS], at: u64) -> Option<Function> {
    let layout = heap.layout;
    let mut functions = match &layout.functions {
        Functions::Chained(chained) => chain(heap, info, chained)?,
        Functions::Packed(packed) => unpack(heap, info, packed)?,
    };
    // What is out of the way of all functions stands behind them, in the same order.
    let is_elsewhere = functions.first().is_some_and(|first| at >= first.elsewhere);
    let begin =
        |function: &Function| if is_elsewhere { function.elsewhere } else { function.start };
    let found = functions.iter().rposition(|function| begin(function) <= at).unwrap_or(0);
    (found < functions.len()).then(|| functions.swap_remove(found))
}

fn chain(heap: &mut Heap, info: [u64; WORDS], words: &Chained) -> Option<Vec<Function>> {
    let (mut functions, mut next) = (Vec::new(), info[2]);
    let shared = if words.top.is_some() { None } else { Some(top_and_position(heap, info[4])?) };
    while !objects::is_end(heap, next) {
        let slots: [u64; WORDS] = objects::slots(heap, next)?;
        let packed = objects::octets(heap, slots[words.locations])?;
        let mut bytes = packed.iter().copied();
        let (start, elsewhere) = (integer(&mut bytes)?, integer(&mut bytes)?);
        let form = Some(integer(&mut bytes)?);
        next = slots[words.locations + 1];
        let own = words.top.and_then(|word| objects::number(slots[word]));
        let (top, position) = shared.unwrap_or((own, None));
        let places = Places {
            table: slots[2],
            bytes: Vec::new(),
            alive: Alive::Unknown,
            has_blocks: false,
            // Where all places have the same one it is not said again.
            has_top: words.top.is_some() && top.is_none(),
        };
        functions.push(Function { name: slots[0], start, elsewhere, top, form, position, places });
        if functions.len() > FUNCTIONS {
            return None;
        }
    }
    Some(functions)
}

/// The number of the outermost form and where it begins, each one more than it is; SBCL's debugger
/// may have put its notes behind.
fn top_and_position(heap: &mut Heap, object: u64) -> Option<(Option<u64>, Option<u64>)> {
    let packed = objects::first(heap, object).unwrap_or(object);
    let mut bytes = objects::octets(heap, packed)?.into_iter();
    let mut less = || Some(integer(&mut bytes)?.checked_sub(1));
    Some((less()?, less()?))
}

fn unpack(heap: &mut Heap, info: [u64; WORDS], words: &Packed) -> Option<Vec<Function>> {
    let map = objects::compressed(heap, info[words.map])?;
    let names = |index| objects::element(heap, info[words.map + 1], index);
    let mut reader = Reader { bytes: map.iter().copied(), names, name: info[0] };
    let (mut functions, mut start, mut elsewhere) = (Vec::new(), 0u64, 0u64);
    while let Some(function) = reader.next() {
        let mut function = function?;
        start = start.checked_add(function.start)?;
        elsewhere = elsewhere.checked_add(function.elsewhere)?;
        (function.start, function.elsewhere) = (start, elsewhere);
        function.places.has_blocks = words.has_blocks;
        functions.push(function);
        if functions.len() > FUNCTIONS {
            return None;
        }
    }
    Some(functions)
}

/// Reads packed functions, one behind the other.
struct Reader<B, N> {
    bytes: B,
    names: N,
    name: u64,
}

impl<B: Iterator<Item = u8>, N: FnMut(u64) -> Option<u64>> Reader<B, N> {
    /// The next function; its instructions begin so much behind those of the one before. `None` at
    /// the end.
    fn next(&mut self) -> Option<Option<Function>> {
        self.bytes.next().map(|options| self.function(options))
    }

    fn function(&mut self, options: u8) -> Option<Function> {
        let bytes = &mut self.bytes;
        let flags = bytes.next()?;
        let is = |flag: u8| flags & flag != 0;
        if !is(SAME_NAME) {
            self.name = (self.names)(integer(bytes)?)?;
        }
        let mut part = |has: bool| if has { counted(bytes) } else { Some(Vec::new()) };
        let (variables, table) = (part(is(VARIABLES))?, part(is(BLOCKS))?);
        let top = if is(TOP) { Some(integer(bytes)?) } else { None };
        if is(VARIABLES) && is(ARGUMENTS) {
            skip_arguments(bytes)?;
        }
        // What it returns is said of one kind of functions only.
        let returned = if options >> 5 == 1 { integer(bytes)? } else { 0 };
        for _ in 0..returned {
            integer(bytes)?;
        }
        for _ in 0..u8::from(is(CLOSURE)) + u8::from(is(BINDINGS)) {
            integer(bytes)?;
        }
        let start = integer(bytes)?;
        // Where its arguments have been moved.
        integer(bytes)?;
        let elsewhere = integer(bytes)?;
        let alive = Alive::Bytes(count_variables(&variables)?.div_ceil(8));
        let has_top = top.is_none();
        let places = Places { table: 0, bytes: table, alive, has_blocks: false, has_top };
        let (name, form, position) = (self.name, None, None);
        Some(Function { name, start, elsewhere, top, form, position, places })
    }
}

/// Bytes behind their number.
fn counted(bytes: &mut impl Iterator<Item = u8>) -> Option<Vec<u8>> {
    let length = usize::try_from(integer(bytes)?).ok()?;
    let part: Vec<u8> = bytes.take(length).collect();
    (part.len() == length).then_some(part)
}

/// Markers, the names of keywords, or the numbers of variables.
fn skip_arguments(bytes: &mut impl Iterator<Item = u8>) -> Option<()> {
    for _ in 0..integer(bytes)? {
        let names = match integer(bytes)? {
            // A keyword, a symbol with its package, one without.
            5 | 7 => 1,
            6 => 2,
            _ => 0,
        };
        for _ in 0..names {
            skip_text(bytes)?;
        }
    }
    Some(())
}

/// How many variables are described.
fn count_variables(described: &[u8]) -> Option<usize> {
    let (mut bytes, mut count) = (described.iter().copied(), 0);
    while let Some(flags) = bytes.next() {
        let is = |flag: u8| flags & flag != 0;
        let texts =
            u8::from(!is(MINIMAL) && !is(SAME_VARIABLE)) + u8::from(!is(MINIMAL) && is(PACKAGE));
        for _ in 0..texts {
            skip_text(&mut bytes)?;
        }
        for _ in 0..u8::from(!is(DELETED)) + u8::from(is(SAVED)) + u8::from(is(INDIRECT)) {
            integer(&mut bytes)?;
        }
        count += 1;
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of each function in a map: its name's number, how far behind the one before its instructions
    /// begin, and those out of the way, its outermost form, bytes for the variables, its places.
    type Packed = (u64, [u64; 2], Option<u64>, usize, usize);

    fn functions(map: &[u8]) -> Option<Vec<Packed>> {
        let mut reader = Reader { bytes: map.iter().copied(), names: Some, name: 99 };
        let mut found = Vec::new();
        while let Some(function) = reader.next() {
            let Function { name, start, elsewhere, top, places, .. } = function?;
            let Alive::Bytes(alive) = places.alive else { return None };
            found.push((name, [start, elsewhere], top, alive, places.bytes.len()));
        }
        Some(found)
    }

    /// Functions that SBCL 2.5.2 packed, and what its own debugger unpacks from that.
    #[test]
    fn functions_as_sbcl_itself_has_them() {
        let map = [
            8, 79, 2, 36, 8, 6, 103, 48, 1, 66, 233, 2, 1, 2, 0, 8, 16, 32, 152, 3, 0, 111, 15, 8,
            1, 73, 32, 159, 128, 128, 16, 4, 1, 78, 147, 128, 128, 16, 51, 103, 60, 2, 133, 25, 11,
            161, 5, 132, 37, 12, 36, 17, 12, 3, 133, 27, 15, 166, 10, 132, 8, 12, 37, 8, 12, 2,
            166, 7, 36, 3, 12, 3, 165, 11, 166, 7, 36, 6, 12, 2, 132, 0, 10, 196, 68, 132, 3, 12,
            162, 5, 1, 1, 9, 139, 128, 128, 16, 36, 8, 2, 32, 47, 0, 11, 12, 4, 77, 65, 82, 75, 36,
            151, 128, 128, 16, 13, 39, 192, 2, 4, 1, 133, 23, 7, 166, 10, 132, 53, 4, 1, 1, 8, 1,
            24, 143, 128, 128, 16, 132, 2, 8, 15,
        ];
        let expected = vec![
            (99, [16, 408], Some(1), 1, 6),
            (99, [36, 2], Some(1), 1, 51),
            (0, [260, 15], Some(1), 1, 13),
        ];
        assert_eq!(functions(&map), Some(expected));
        for length in (1..map.len()).filter(|length| ![20, 100].contains(length)) {
            assert_eq!(functions(&map[..length]), None, "{length}");
        }
    }

    #[test]
    fn variables_are_counted() {
        // One with a name of its own and a place, and one more of that name that is kept elsewhere.
        let two = [4, 1, 65, 167, 128, 128, 16, 24, 60, 211, 128, 128, 16];
        assert_eq!(count_variables(&two), Some(2));
        // In another package, without a name, gone, and through another one.
        let others = [6, 1, 84, 2, 83, 66, 8, 36, 5, 32 + 64, 128, 1, 65, 8, 9];
        assert_eq!(count_variables(&others), Some(4));
        assert_eq!(count_variables(&two[..8]), None);
    }
}
