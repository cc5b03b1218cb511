//! One directory, with metadata.

use std::ffi::c_char;

use fewer::list::{By, Hidden, ListOrder, Listing, Moment, Row};
use fewer::{Errno, Kinds, List, Owners, Scope};

use crate::boundary::{
    append, borrow_mut, close, functions, guard, hand_out, only, options, path, put_or_zeros,
    writable,
};
use crate::error::Failed;
use crate::metadata::{CStat, Wanted};
use crate::scope::scope_or_start;

/// `fewer_list_options`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct ListOptions {
    pub(crate) flags: u32,
    pub(crate) fields: u32,
    pub(crate) order: u32,
    pub(crate) threads: u32,
    pub(crate) owners: *const Owners,
}

pub(crate) const SKIP_HIDDEN: u32 = 1 << 0;
pub(crate) const DOTS: u32 = 1 << 1;
pub(crate) const FOLLOW: u32 = 1 << 2;
pub(crate) const LINKS: u32 = 1 << 3;
pub(crate) const KINDS: u32 = 1 << 4;
pub(crate) const REVERSE: u32 = 1 << 5;
pub(crate) const DIRECTORIES_FIRST: u32 = 1 << 6;
pub(crate) const ALL: u32 = (1 << 7) - 1;

/// The orders, by the numbers of FEWER_BY_...
pub(crate) const ORDERS: [By; 9] = [
    By::Name,
    By::Nothing,
    By::Version,
    By::Extension,
    By::Size,
    By::Time(Moment::Modified),
    By::Time(Moment::Accessed),
    By::Time(Moment::Changed),
    By::Time(Moment::Created),
];

/// `fewer_row`
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct CRow {
    pub(crate) stat: CStat,
    pub(crate) name: u32,
    pub(crate) name_length: u32,
    pub(crate) target: u32,
    pub(crate) target_length: u32,
    pub(crate) user_name: u32,
    pub(crate) user_name_length: u32,
    pub(crate) group_name: u32,
    pub(crate) group_name_length: u32,
    pub(crate) number: i32,
    pub(crate) target_number: i32,
}

/// `fewer_list_batch`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct ListBatch {
    pub(crate) bytes: *const c_char,
    pub(crate) bytes_length: usize,
    pub(crate) rows: *const CRow,
    pub(crate) rows_count: usize,
}

/// `fewer_list`
pub struct ListHandle {
    listing: Listing,
    wanted: Wanted,
    /// NULL, or owners that the caller keeps alive for as long as this handle.
    owners: *const Owners,
    next: usize,
    /// Whether the error that ended the reading early was returned already.
    error_returned: bool,
    bytes: Vec<u8>,
    rows: Vec<CRow>,
    /// The names of owners that are in the blob of this batch already: number, offset and length.
    users: Vec<Placed>,
    groups: Vec<Placed>,
}

type Placed = (u32, (u32, u32));

const ROWS_PER_BATCH: usize = 1024;

fn order(options: &ListOptions) -> Result<ListOrder, Failed> {
    let Some(&by) = ORDERS.get(options.order as usize) else {
        return Err(Failed::of(Errno::INVAL, "read the options"));
    };
    let has = |flag: u32| options.flags & flag != 0;
    Ok(ListOrder { by, reversed: has(REVERSE), directories_first: has(DIRECTORIES_FIRST) })
}

fn list(options: &ListOptions, list: List) -> Result<List, Failed> {
    only(options.flags, ALL)?;
    let has = |flag: u32| options.flags & flag != 0;
    let wanted = Wanted::new(options.fields)?;
    let mut list = list
        .hidden(match (has(SKIP_HIDDEN), has(DOTS)) {
            (true, _) => Hidden::Skip,
            (false, true) => Hidden::ShowDots,
            (false, false) => Hidden::Show,
        })
        .follow(has(FOLLOW))
        .links(has(LINKS))
        .order(order(options)?);
    if wanted.any() {
        list = list.stat(Kinds::ALL, wanted.fields());
    }
    if has(KINDS) {
        list = list.kinds();
    }
    if options.threads > 0 {
        list = list.threads(options.threads as usize);
    }
    Ok(list)
}

impl ListHandle {
    fn next(&mut self) -> Result<Option<ListBatch>, Failed> {
        self.bytes.clear();
        self.rows.clear();
        self.users.clear();
        self.groups.clear();
        let end = self.listing.len().min(self.next + ROWS_PER_BATCH);
        let listing = std::mem::take(&mut self.listing);
        for place in self.next..end {
            fewer::present::prefetch(&listing, place);
            self.push(listing.row(place));
        }
        self.listing = listing;
        self.next = end;
        if self.rows.is_empty() {
            return match self.listing.broken_off() {
                Some(error) if !std::mem::replace(&mut self.error_returned, true) => {
                    Err(error.clone().into())
                }
                _ => Ok(None),
            };
        }
        Ok(Some(ListBatch {
            bytes: self.bytes.as_ptr().cast(),
            bytes_length: self.bytes.len(),
            rows: self.rows.as_ptr(),
            rows_count: self.rows.len(),
        }))
    }

    fn push(&mut self, row: Row<'_>) {
        let mut stat = row.stat().map_or(CStat::default(), |stat| self.wanted.answer(stat));
        stat.inode = row.inode();
        stat.kind = row.kind() as u8;
        let (name, name_length) = append(&mut self.bytes, row.name_bytes());
        let mut known = CRow { stat, name, name_length, ..CRow::default() };
        known.number = row.stat_error().map_or(0, |errno| errno.raw_os_error());
        match row.link().and_then(|link| link.path.as_ref()) {
            Some(Ok(target)) => {
                (known.target, known.target_length) = append(&mut self.bytes, target);
            }
            Some(Err(errno)) => known.target_number = errno.raw_os_error(),
            None => {}
        }
        // SAFETY: NULL, or owners that the caller keeps alive for as long as this handle.
        let owners = unsafe { self.owners.as_ref() }.filter(|_| self.wanted.owner());
        if let (Some(owners), Some(answer)) = (owners, row.stat()) {
            let bytes = &mut self.bytes;
            let user = owned(&mut self.users, bytes, answer.user(), |id| owners.user(id));
            let group = owned(&mut self.groups, bytes, answer.group(), |id| owners.group(id));
            (known.user_name, known.user_name_length) = user;
            (known.group_name, known.group_name_length) = group;
        }
        self.rows.push(known);
    }
}

/// The offset of an owner's name in the blob, which holds each name once.
fn owned<'o>(
    placed: &mut Vec<Placed>,
    bytes: &mut Vec<u8>,
    id: u32,
    find: impl FnOnce(u32) -> Option<&'o [u8]>,
) -> (u32, u32) {
    if let Some((_, place)) = placed.iter().find(|(known, _)| *known == id) {
        return *place;
    }
    let place = append(bytes, find(id).unwrap_or_default());
    placed.push((id, place));
    place
}

functions! {
    fn fewer_list_open(
        scope: *const Scope, at: *const c_char, length: usize, given: *const ListOptions,
        given_size: usize, handle: *mut *mut ListHandle
    ) {
        let given = options(given, given_size)?;
        let plain = List::new(path(at, length)?).within(&scope_or_start(scope));
        let listing = list(&given, plain)?.read()?;
        hand_out(
            handle,
            ListHandle {
                listing,
                wanted: Wanted::new(given.fields)?,
                owners: given.owners,
                next: 0,
                error_returned: false,
                bytes: Vec::new(),
                rows: Vec::new(),
                users: Vec::new(),
                groups: Vec::new(),
            },
        )
    }

    fn fewer_list_next(handle: *mut ListHandle, batch: *mut ListBatch) {
        writable(batch)?;
        let next = borrow_mut(handle)?.next()?;
        put_or_zeros(batch, next)
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_list_count(handle: *const ListHandle) -> usize {
    // SAFETY: a handle, or NULL.
    guard(0, || unsafe { handle.as_ref() }.map_or(0, |handle| handle.listing.len()))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_list_close(handle: *mut ListHandle) {
    // SAFETY: it came from fewer_list_open.
    unsafe { close(handle) };
}
