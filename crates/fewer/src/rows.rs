//! The columns of a table of entries, and what is in them: the command and Python write the same
//! table, in formats of their own. Every reader of Parquet and every Delta table can hold it: no
//! unsigned numbers, microseconds.
//!
//! Price: none; the fields come from [`Walk::stat`](crate::Walk::stat).

use sys::{Fields, Stat, Time};

/// The type of a column. All but words may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// UTF-8.
    Text,
    /// Any bytes.
    Bytes,
    /// UTF-8, of few different words, and never null.
    Word,
    /// 64 bits with a sign.
    Integer,
    /// Microseconds since 1970 in UTC.
    Timestamp,
}

/// The name of a column, the field that it needs, and the value.
type Value<T> = (&'static str, Fields, fn(&Stat) -> T);

/// Something for each column of numbers that an entry has.
pub type Integers<T> = [T; 8];

/// Something for each column of times.
pub type Timestamps<T> = [T; 4];

/// The columns behind `depth`.
const INTEGERS: Integers<Value<i64>> = [
    ("inode", Fields::INODE, |stat| stat.inode().cast_signed()),
    // It always comes along, but an object in a store is on none.
    ("device", Fields::INODE, |stat| device_number(stat).cast_signed()),
    ("size", Fields::SIZE, |stat| stat.size().cast_signed()),
    ("allocated", Fields::ALLOCATED, |stat| stat.allocated().cast_signed()),
    ("permissions", Fields::PERMISSIONS, |stat| stat.permissions().into()),
    ("links", Fields::LINKS, |stat| stat.links().into()),
    ("user", Fields::OWNER, |stat| stat.user().into()),
    ("group", Fields::OWNER, |stat| stat.group().into()),
];

/// The columns behind these.
const TIMESTAMPS: Timestamps<Value<Option<Time>>> = [
    ("modified", Fields::MODIFIED, |stat| Some(stat.modified())),
    ("accessed", Fields::ACCESSED, |stat| Some(stat.accessed())),
    ("changed", Fields::CHANGED, |stat| Some(stat.changed())),
    ("created", Fields::CREATED, Stat::created),
];

/// All columns in their order: path and name (null if they are not UTF-8; `path_bytes` is null if
/// the path is), kind, depth, what [`integers`] and [`timestamps`] return, and the message of a
/// failure.
pub fn columns() -> impl Iterator<Item = (&'static str, ColumnType)> {
    let before = [
        ("path", ColumnType::Text),
        ("path_bytes", ColumnType::Bytes),
        ("name", ColumnType::Text),
        ("kind", ColumnType::Word),
        ("depth", ColumnType::Integer),
    ];
    let integers = INTEGERS.map(|(name, ..)| (name, ColumnType::Integer));
    let timestamps = TIMESTAMPS.map(|(name, ..)| (name, ColumnType::Timestamp));
    let error = ("error", ColumnType::Text);
    before.into_iter().chain(integers).chain(timestamps).chain([error])
}

/// The numbers of an entry: null what is not known of it.
#[must_use]
pub fn integers(stat: Option<&Stat>) -> Integers<Option<i64>> {
    INTEGERS.map(|(_, field, value)| stat.filter(|stat| stat.has(field)).map(value))
}

/// The times of an entry, in microseconds since 1970, rounded down: null what is not known, or is
/// beyond the year 294,246.
#[must_use]
pub fn timestamps(stat: Option<&Stat>) -> Timestamps<Option<i64>> {
    TIMESTAMPS.map(|(_, field, value)| {
        stat.filter(|stat| stat.has(field)).and_then(value).and_then(microseconds)
    })
}

/// The device of the file system that an entry is on, as `st_dev` has it on Linux.
#[must_use]
pub fn device_number(stat: &Stat) -> u64 {
    makedev(stat.device() >> 32, stat.device() & 0xffff_ffff)
}

/// One number for a device, as `makedev` of glibc makes it.
#[must_use]
pub fn makedev(major: u64, minor: u64) -> u64 {
    let high = (major & !0xfff) << 32 | (minor & 0xffff_ff00) << 12;
    high | (major & 0xfff) << 8 | minor & 0xff
}

fn microseconds(time: Time) -> Option<i64> {
    time.seconds.checked_mul(1_000_000)?.checked_add(i64::from(time.nanoseconds / 1_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_down() {
        let time = |seconds, nanoseconds| microseconds(Time { seconds, nanoseconds });
        assert_eq!(time(1, 1_999), Some(1_000_001));
        assert_eq!(time(-1, 999_999_999), Some(-1));
        assert_eq!(time(i64::MAX, 0), None);
    }

    #[test]
    fn what_is_not_known_is_null() {
        let file = sys::stat(sys::CWD, c"Cargo.toml", true, Fields::SIZE).unwrap();
        let names = || INTEGERS.map(|(name, ..)| name);
        let known = |stat: Option<&Stat>| -> Vec<&str> {
            let values = names().into_iter().zip(integers(stat));
            values.filter(|(_, value)| value.is_some()).map(|(name, _)| name).collect()
        };
        assert!(known(Some(&file)).contains(&"size"));
        assert_eq!(known(None), [""; 0]);
        assert_eq!(timestamps(None), [None; 4]);
        let length = std::fs::metadata("Cargo.toml").unwrap().len();
        assert_eq!(integers(Some(&file))[2], Some(length as i64));
    }

    #[test]
    fn devices_are_those_of_the_c_library() {
        // By the C library: makedev(8, 1), makedev(0xfff, 0xfffff), makedev(0x12345, 0x6789a).
        assert_eq!(makedev(8, 1), 0x801);
        assert_eq!(makedev(0xfff, 0xf_ffff), 0xffff_ffff);
        assert_eq!(makedev(0x1_2345, 0x6_789a), 0x1_2000_6783_459a);
    }
}
