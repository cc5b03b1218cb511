//! Metadata as a row of numbers.

use fewer::{Fields, Stat, Time};
use napi::{Env, Result};

use crate::js::{self, ToJs, Value};
use crate::walk_options::wrong;

/// How many numbers there are; `lib/stat.js` has their names, in the same order.
pub(crate) const COLUMNS: usize = 24;

/// The metadata as numbers, none of them rounded: what may be large comes in two halves.
pub(crate) fn row(stat: &Stat) -> [f64; COLUMNS] {
    let device = stat.device();
    let (special_major, special_minor) = stat.special();
    let halves = |number: u64| [(number & 0xffff_ffff) as f64, (number >> 32) as f64];
    let [inode_low, inode_high] = halves(stat.inode());
    let [size_low, size_high] = halves(stat.size());
    let [allocated_low, allocated_high] = halves(stat.allocated());
    let [minor, major] = halves(device);
    let mut row = [0.0; COLUMNS];
    row[..14].copy_from_slice(&[
        f64::from(stat.kind() as u8),
        f64::from(stat.permissions()),
        inode_low,
        inode_high,
        size_low,
        size_high,
        allocated_low,
        allocated_high,
        major,
        minor,
        f64::from(special_major),
        f64::from(special_minor),
        f64::from(stat.links()),
        f64::from(stat.user()),
    ]);
    row[14] = f64::from(stat.group());
    let times = [Some(stat.accessed()), Some(stat.modified()), Some(stat.changed())];
    for (place, time) in times.into_iter().chain([stat.created()]).enumerate() {
        row[15 + 2 * place..][..2].copy_from_slice(&moment(time));
    }
    row[23] = f64::from(u8::from(stat.created().is_some()));
    row
}

/// Seconds and nanoseconds; seconds since 1970 are far from where these numbers have gaps.
fn moment(time: Option<Time>) -> [f64; 2] {
    time.map_or([0.0; 2], |time| [time.seconds as f64, f64::from(time.nanoseconds)])
}

/// The metadata of one file.
pub(crate) struct OneStat(pub(crate) Stat);

impl ToJs for OneStat {
    fn to_js(self: Box<Self>, env: &Env) -> Result<Value> {
        js::typed_array(env, &row(&self.0))
    }
}

/// The fields of these names; every field if there is no list of them.
pub(crate) fn fields(names: Option<&[String]>) -> Result<Fields> {
    let Some(names) = names else { return Ok(Fields::ALL) };
    let field =
        |name: &String| name.parse().map_err(|why| wrong(format!("'{name}' is no field; {why}")));
    names.iter().map(field).collect::<Result<Fields>>()
}
