//! What a listing may cost.

/// The most requests for a listing of so many full pages, whatever answers first: how much is split
/// depends on that. It is what the plan of listings keeps to: 26 more, and 0.067 for each request
/// (`MOST_FREE_EXCESS` and `MOST_EXCESS_PER_PAGE` in crates/stores/src/plan.rs). What a listing
/// costs where the order of answers is fixed, the plan's own tests say.
pub(crate) fn most_requests(pages: u64) -> u64 {
    (pages + 26) * 1000 / 933
}
