//! What a listing may cost.

/// The most requests for a listing of so many full pages, whatever answers first. How much is split
/// depends on that, and the plan of listings promises no less: `MOST_FREE_EXCESS` and
/// `MOST_EXCESS_PER_PAGE` in crates/stores/src/plan.rs. What it costs where the order of answers is
/// fixed, its own tests say.
pub(crate) fn most_requests(pages: u64) -> u64 {
    pages + 26 + pages * 67 / 1000
}
