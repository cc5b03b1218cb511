//! What HotSpot says of its own structures: tables that its library offers to tools which look at
//! it from outside (`vmStructs.hpp`). They give each structure's fields with type and place, each
//! type's size, and constants.

use super::super::Loaded;
use crate::source::memory;
use rustc_hash::FxHashMap;

/// The symbols of the tables. Those of the columns are the same for all rows of a table.
pub(super) const SYMBOLS: &[&str] = &[
    "gHotSpotVMStructs", "gHotSpotVMStructEntryTypeNameOffset",
    "gHotSpotVMStructEntryFieldNameOffset", "gHotSpotVMStructEntryTypeStringOffset",
    "gHotSpotVMStructEntryIsStaticOffset", "gHotSpotVMStructEntryOffsetOffset",
    "gHotSpotVMStructEntryAddressOffset", "gHotSpotVMStructEntryArrayStride", "gHotSpotVMTypes",
    "gHotSpotVMTypeEntryTypeNameOffset", "gHotSpotVMTypeEntrySizeOffset",
    "gHotSpotVMTypeEntryArrayStride", "gHotSpotVMIntConstants",
    "gHotSpotVMIntConstantEntryNameOffset", "gHotSpotVMIntConstantEntryValueOffset",
    "gHotSpotVMIntConstantEntryArrayStride",
];

/// No row is longer, and no table has more rows.
const LONGEST_ROW: u64 = 1 << 10;
const MOST_ROWS: usize = 1 << 14;

/// So much of a name is looked at: those that matter are shorter.
const NAME: usize = 64;

/// A field: of each instance, or one for all.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Field {
    is_static: bool,
    /// How far behind its instance's beginning, or where in memory.
    at: u64,
    /// How many bytes an integer in it has, by the name of its type.
    length: u8,
}

/// An integer in a structure: how far behind the beginning, and how many bytes it has.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Integer {
    pub(super) at: u64,
    pub(super) length: u8,
}

/// The tables, by names: `Method._constMethod`.
#[derive(Debug, Default)]
pub(super) struct Tables {
    fields: FxHashMap<String, Field>,
    sizes: FxHashMap<String, u64>,
    constants: FxHashMap<String, i32>,
}

/// The rows of one table.
struct Rows {
    bytes: Vec<u8>,
    length: usize,
}

impl Rows {
    /// `symbols` are those of the table and of the length of its rows; the first word of a row at
    /// `name` is 0 behind the last.
    fn read(process: libc::pid_t, table: u64, length: u64, name: u64) -> Option<Rows> {
        if !(16..=LONGEST_ROW).contains(&length) || name.checked_add(8)? > length {
            return None;
        }
        let (length, name) = (usize::try_from(length).ok()?, usize::try_from(name).ok()?);
        let mut bytes = Vec::new();
        while bytes.len() / length < MOST_ROWS {
            let mut row = vec![0; 64 * length];
            let at = table.checked_add(bytes.len() as u64)?;
            let read = memory::read(process, at, &mut row).ok()?;
            let rows = row.get(..read)?.chunks_exact(length);
            let is_name = |row: &[u8]| row[name..name + 8].iter().any(|byte| *byte != 0);
            let more = rows.take_while(|row| is_name(row)).count();
            bytes.extend_from_slice(&row[..more * length]);
            if more < 64 {
                break;
            }
        }
        Some(Rows { bytes, length })
    }

    /// The values of a column.
    fn words(&self, column: u64) -> Vec<u64> {
        let column = usize::try_from(column).unwrap_or(usize::MAX);
        let word = |row: &[u8]| {
            let bytes = column.checked_add(8).and_then(|end| row.get(column..end));
            bytes.and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_ne_bytes)
        };
        self.bytes.chunks_exact(self.length).map(word).collect()
    }
}

impl Tables {
    /// Reads the tables. `None` if one is missing or not set up yet.
    pub(super) fn read(process: libc::pid_t, loaded: &Loaded) -> Option<Tables> {
        let word = |symbol: &str| {
            let bytes = memory::array::<8>(process, loaded.address(symbol)?)?;
            Some(u64::from_ne_bytes(bytes))
        };
        let of = |kind: &str, column: &str| word(&format!("gHotSpotVM{kind}Entry{column}"));
        let rows = |kind: &str, name: &str| {
            let table = word(&format!("gHotSpotVM{kind}s"))?;
            Rows::read(process, table, of(kind, "ArrayStride")?, of(kind, name)?)
        };
        let structs = rows("Struct", "TypeNameOffset")?;
        let types = rows("Type", "TypeNameOffset")?;
        let constants = rows("IntConstant", "NameOffset")?;
        let class = structs.words(of("Struct", "TypeNameOffset")?);
        let field = structs.words(of("Struct", "FieldNameOffset")?);
        let kind = structs.words(of("Struct", "TypeStringOffset")?);
        let is_static = structs.words(of("Struct", "IsStaticOffset")?);
        let offset = structs.words(of("Struct", "OffsetOffset")?);
        let address = structs.words(of("Struct", "AddressOffset")?);
        let of_type = types.words(of("Type", "TypeNameOffset")?);
        let size = types.words(of("Type", "SizeOffset")?);
        let of_constant = constants.words(of("IntConstant", "NameOffset")?);
        let value = constants.words(of("IntConstant", "ValueOffset")?);

        let names = names(process, [&class, &field, &kind, &of_type, &of_constant]);
        let name = |at: u64| names.get(&at).map_or("", String::as_str);
        let mut tables = Tables::default();
        for (at, class) in class.iter().enumerate() {
            // Two bytes of it are enough: it is an `int` in front of others.
            let is_static = is_static[at] & 0xff != 0;
            let place = if is_static { address[at] } else { offset[at] };
            let found = Field { is_static, at: place, length: length(name(kind[at])) };
            tables.fields.insert(format!("{}.{}", name(*class), name(field[at])), found);
        }
        for (at, size) in of_type.iter().zip(size) {
            tables.sizes.insert(name(*at).to_owned(), size);
        }
        for (at, value) in of_constant.iter().zip(value) {
            tables.constants.insert(name(*at).to_owned(), value as u32 as i32);
        }
        Some(tables)
    }

    /// Replaces some numbers by others.
    #[cfg(test)]
    pub(super) fn distort(&mut self, mut other: impl FnMut() -> Option<u64>) {
        let fields = self.fields.values_mut().map(|field| &mut field.at);
        for number in fields.chain(self.sizes.values_mut()) {
            *number = other().unwrap_or(*number);
        }
    }

    fn field(&self, name: &str, is_static: bool) -> Result<Field, String> {
        let field = self.fields.get(name).filter(|field| field.is_static == is_static);
        field.copied().ok_or_else(|| format!("its tables lack {name}"))
    }

    /// How far a field is behind its instance's beginning: the first of these names that is there.
    pub(super) fn offset(&self, names: &[&str]) -> Result<u64, String> {
        Ok(self.integer(names)?.at)
    }

    /// An integer in a structure: the first of these names that is there.
    pub(super) fn integer(&self, names: &[&str]) -> Result<Integer, String> {
        let all = names.iter().map(|name| self.field(name, false));
        let found = all.reduce(|found, next| found.or(next));
        let Field { at, length, .. } = found.unwrap_or_else(|| Err(String::new()))?;
        // Nothing here is as large as this.
        if at > 1 << 16 {
            Err("its tables are damaged".to_owned())
        } else {
            Ok(Integer { at, length })
        }
    }

    /// Where a field that there is only once lies in memory.
    pub(super) fn address(&self, name: &str) -> Result<u64, String> {
        Ok(self.field(name, true)?.at)
    }

    /// The size of a type.
    pub(super) fn size(&self, name: &str) -> Result<u64, String> {
        let size = self.sizes.get(name).copied().filter(|size| *size < 1 << 16);
        size.ok_or_else(|| format!("its tables lack the size of {name}"))
    }

    /// A constant.
    pub(super) fn constant(&self, name: &str) -> Option<i32> {
        self.constants.get(name).copied()
    }
}

/// The bytes of an integer, by its type in C++.
fn length(kind: &str) -> u8 {
    match kind.trim_start_matches("volatile ").trim_start_matches("const ") {
        "bool" | "u1" | "signed char" | "unsigned char" | "jubyte" => 1,
        "u2" | "int16_t" | "uint16_t" | "unsigned short" | "jushort" => 2,
        "size_t" | "uint64_t" | "int64_t" | "intptr_t" | "u8" | "jlong" => 8,
        kind if kind.ends_with('*') || kind == "address" => 8,
        _ => 4,
    }
}

/// The texts at these addresses.
fn names(process: libc::pid_t, addresses: [&Vec<u64>; 5]) -> FxHashMap<u64, String> {
    let mut distinct = addresses.map(Vec::as_slice).concat();
    distinct.sort_unstable();
    distinct.dedup();
    distinct.retain(|address| *address != 0);
    let mut names = FxHashMap::default();
    names.reserve(distinct.len());
    for some in distinct.chunks(1024) {
        let ranges: Vec<(u64, usize)> = some.iter().map(|at| (*at, NAME)).collect();
        let mut bytes = Vec::new();
        memory::ranges(process, &ranges, &mut bytes);
        let mut pieces = bytes.chunks_exact(NAME).map(<[u8]>::to_vec);
        for &at in some {
            // Behind one that does not reach as far they come one by one.
            let piece = pieces.next().unwrap_or_else(|| {
                let mut piece = vec![0; NAME];
                let read = memory::read(process, at, &mut piece).unwrap_or(0);
                piece.truncate(read);
                piece
            });
            let end = piece.iter().position(|byte| *byte == 0).unwrap_or(piece.len());
            names.insert(at, String::from_utf8_lossy(&piece[..end]).into_owned());
        }
    }
    names
}
