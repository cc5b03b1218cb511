//! How many directories are held open on the path down a deep tree. Where there are more of them,
//! the shallowest are closed, and opened again on the way back.

/// So many are held open without looking at the limit.
pub(crate) const HELD_WITHOUT_ASKING: usize = 16;

/// How many may be held open in all: half of the descriptors that the process may have.
///
/// Price: one `prlimit64`.
pub(crate) fn most_to_hold() -> usize {
    let limit = sys::descriptor_limit().unwrap_or(u64::MAX);
    usize::try_from(limit / 2).unwrap_or(usize::MAX)
}
