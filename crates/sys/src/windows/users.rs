//! Users and groups: files have security identifiers of their owners, which get numbers here.
//!
//! The number is the last part of the identifier, which is what tells the users of a machine apart:
//! 18 for the system, 544 for the administrators, 1001 for the first user. Where two identifiers
//! have the same, and for a last part of 0, it is one that is free. Numbers hold for this process.

use std::collections::HashMap;
use std::ffi::CStr;
use std::ptr::null;
use std::sync::{LazyLock, Mutex, PoisonError};

use windows_sys::Wdk::Storage::FileSystem::NtQuerySecurityObject;
use windows_sys::Win32::Foundation::STATUS_BUFFER_TOO_SMALL;
use windows_sys::Win32::Security::{
    GROUP_SECURITY_INFORMATION, LookupAccountNameW, LookupAccountSidW, OWNER_SECURITY_INFORMATION,
    SID_NAME_USE,
};

use super::BorrowedFile;
use super::descriptor::handle_of;
use super::errno::errno_of;
use crate::Errno;
use crate::counter::{Call, count};
use crate::windows_formats::sid::{Sid, owners};
use crate::windows_formats::wide::{push_wtf8, to_wide};

/// Whether the names of owners are in files, and the metadata of a file has its owner.
pub const OWNERS_ARE_IN_FILES: bool = false;

/// Whether there are other sources of names than files.
pub const NAME_SERVICES: bool = true;

/// The name of a user, with the domain in front: `BUILTIN\Administrators`; the identifier's text if
/// it has none. `None` for a number that no file of this process had.
///
/// Price: `LookupAccountSidW`, which asks a service; uncounted.
#[must_use]
pub fn user_name(id: u32) -> Option<Box<[u8]>> {
    let sid = SIDS.lock().unwrap_or_else(PoisonError::into_inner).get(&id)?.clone();
    Some(account_of(&sid).unwrap_or_else(|| sid.to_string().into_bytes()).into())
}

/// The name of a group: users and groups are one kind of thing here.
///
/// Price: as [`user_name`].
#[must_use]
pub fn group_name(id: u32) -> Option<Box<[u8]>> {
    user_name(id)
}

/// The number of the user with a name, with or without the domain, or an identifier's text. Nobody
/// has the empty name, which the service takes for the domain `BUILTIN`.
///
/// Price: `LookupAccountNameW`, which asks a service; uncounted.
#[must_use]
pub fn user_id(name: &CStr) -> Option<u32> {
    let name = name.to_bytes();
    if name.is_empty() {
        return None;
    }
    let sid = Sid::from_text(name).or_else(|| sid_of(name))?;
    Some(number(sid))
}

/// The number of a group: users and groups are one kind of thing here.
///
/// Price: as [`user_id`].
#[must_use]
pub fn group_id(name: &CStr) -> Option<u32> {
    user_id(name)
}

/// The numbers of the user and of the group that own an open file, which must allow to read its
/// security descriptor. An owner that the descriptor lacks is 0.
///
/// Price: `NtQuerySecurityObject`.
pub(super) fn owners_of(file: BorrowedFile<'_>) -> Result<(u32, u32), Errno> {
    // Two identifiers of 68 bytes, and what says where they are.
    let mut words = vec![0_u32; 64];
    loop {
        let length = size_of_val(&*words) as u32;
        let mut needed = 0;
        count(Call::QuerySecurityObject);
        // SAFETY: the handle is open as long as `file` is borrowed; the kernel writes at most
        // `length` bytes, which `words` has, aligned as a descriptor is.
        let status = unsafe {
            NtQuerySecurityObject(
                handle_of(file),
                OWNER_SECURITY_INFORMATION | GROUP_SECURITY_INFORMATION,
                words.as_mut_ptr().cast(),
                length,
                &raw mut needed,
            )
        };
        if status == STATUS_BUFFER_TOO_SMALL && needed > length {
            words.resize(needed.div_ceil(4) as usize, 0);
            continue;
        }
        if status < 0 {
            return Err(errno_of(status));
        }
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let (user, group) = owners(&bytes);
        return Ok((user.map_or(0, number), group.map_or(0, number)));
    }
}

/// The identifiers that have numbers.
static SIDS: LazyLock<Mutex<HashMap<u32, Sid>>> = LazyLock::new(Mutex::default);

fn number(sid: Sid) -> u32 {
    const STEP: u32 = 0x1_0001;
    let mut sids = SIDS.lock().unwrap_or_else(PoisonError::into_inner);
    let mut number = sid.last_part();
    while number == 0 || sids.get(&number).is_some_and(|known| *known != sid) {
        number = number.wrapping_add(STEP);
    }
    sids.entry(number).or_insert(sid);
    number
}

/// A name has at most 256 units, and so has a domain.
const UNITS: usize = 257;

/// `DOMAIN\NAME`, or a name without a domain.
fn account_of(sid: &Sid) -> Option<Vec<u8>> {
    let (mut name, mut domain) = ([0_u16; UNITS], [0_u16; UNITS]);
    let (mut name_units, mut domain_units) = (UNITS as u32, UNITS as u32);
    let mut what: SID_NAME_USE = 0;
    // SAFETY: the identifier is whole, which `Sid` sees to, and only read; the two buffers have as
    // many units as their lengths say.
    let found = unsafe {
        LookupAccountSidW(
            null(),
            sid.bytes().as_ptr().cast_mut().cast(),
            name.as_mut_ptr(),
            &raw mut name_units,
            domain.as_mut_ptr(),
            &raw mut domain_units,
            &raw mut what,
        )
    };
    if found == 0 {
        return None;
    }
    let mut account = Vec::new();
    push_wtf8(&mut account, domain.into_iter().take(domain_units as usize));
    if !account.is_empty() {
        account.push(b'\\');
    }
    push_wtf8(&mut account, name.into_iter().take(name_units as usize));
    Some(account)
}

fn sid_of(name: &[u8]) -> Option<Sid> {
    let mut name = to_wide(name)?;
    name.push(0);
    let mut domain = [0_u16; UNITS];
    // The longest identifier has 68 bytes.
    let mut words = [0_u32; 17];
    let (mut bytes, mut units) = (size_of_val(&words) as u32, UNITS as u32);
    let mut what: SID_NAME_USE = 0;
    // SAFETY: `name` ends with a NUL; the identifier and the domain have as many bytes and units as
    // their lengths say.
    let found = unsafe {
        LookupAccountNameW(
            null(),
            name.as_ptr(),
            words.as_mut_ptr().cast(),
            &raw mut bytes,
            domain.as_mut_ptr(),
            &raw mut units,
            &raw mut what,
        )
    };
    let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_ne_bytes).collect();
    (found != 0).then(|| Sid::parse(&bytes)).flatten()
}
