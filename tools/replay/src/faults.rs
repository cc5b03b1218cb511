//! What the store does wrong, and how slowly it answers.

use std::time::Duration;

use crate::random::mix;

/// What the store does wrong, and how slowly it answers: by default nothing, and at once.
///
/// Everything is decided by the number of the list request, counted from 1 since the server
/// started, so that it is the same in each run. `…_every: Some(n)` means each request whose number
/// plus `seed` is divisible by `n`. If several faults meet, the request has the first of: hang,
/// refusal, failure, wrong region and the other lasting ones, and then what happens to a page. Only
/// `wrong_region`, `denied`, `no_bucket` and `first_byte` concern other requests than lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Shifts which requests have faults, and varies what varies.
    pub seed: u64,
    /// If more list requests than this are being answered at once, one more gets 503 `SlowDown`.
    /// Half of these answers, at random, say `Retry-After: 1`.
    pub slow_down: Option<usize>,
    /// Each nth request gets 503 `SlowDown`.
    pub refuse_every: Option<u64>,
    /// Each nth request gets 500 `InternalError`.
    pub fail_every: Option<u64>,
    /// Each nth answer ends in the middle of its body with a reset of the connection. On macOS it
    /// is only closed.
    pub reset_every: Option<u64>,
    /// Each nth answer ends in the middle of its body: the connection is closed before all of
    /// `Content-Length` was sent.
    pub cut_connection_every: Option<u64>,
    /// Each nth body ends in the middle of the XML, with the `Content-Length` that it has.
    pub cut_body_every: Option<u64>,
    /// Each nth request gets no answer: the connection stays open until the client closes it or
    /// the server stops. Until then it counts as being answered.
    pub hang_every: Option<u64>,
    /// Slept before each answer: the latency of the store.
    pub first_byte: Duration,
    /// Each nth request waits longer: see `slow_first_byte`.
    pub slow_first_byte_every: Option<u64>,
    /// Slept, besides `first_byte`, before each `slow_first_byte_every`th answer.
    pub slow_first_byte: Duration,
    /// `start-after` is ignored, and answered from the beginning of the prefix; a continuation
    /// token is honoured.
    pub ignores_start_after: bool,
    /// Keys come in another, fixed order than that of their bytes, and `start-after` is ignored,
    /// as in a directory bucket. With a delimiter only the order within a page is another.
    /// ListObjectsV2 only.
    pub unordered: bool,
    /// Each page that a continuation token leads to repeats the last key of the page before, unless
    /// it may have only one. ListObjectsV2 only.
    pub duplicates: bool,
    /// Pages have between 1 and `max-keys` keys though there are more.
    pub short_pages: bool,
    /// Each nth page has no key but a continuation token, which goes on where the page would have
    /// begun. A listing gets nowhere if this is 1. ListObjectsV2 only.
    pub empty_pages_every: Option<u64>,
    /// The bucket is in this region: what is not signed for it gets 301 `PermanentRedirect`.
    pub wrong_region: Option<String>,
    /// Everything gets 403 `AccessDenied`.
    pub denied: bool,
    /// Everything gets 404 `NoSuchBucket`.
    pub no_bucket: bool,
    /// Each continuation token leads to the same page again, for ever. ListObjectsV2 only.
    pub repeats_token: bool,
}

/// What happens to one list request instead of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strike {
    Hang,
    SlowDown { retry_after: bool },
    Fail,
}

/// How a whole answer is spoiled when it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spoil {
    Reset,
    CutConnection,
    CutBody,
}

impl Faults {
    fn is_nth(&self, number: u64, every: Option<u64>) -> bool {
        every.is_some_and(|every| every > 0 && number.wrapping_add(self.seed).is_multiple_of(every))
    }

    /// Looks random, but is the same for the same request and seed.
    fn random(&self, number: u64) -> u64 {
        mix(mix(self.seed) ^ number)
    }

    pub(crate) fn strike(&self, number: u64, at_once: usize) -> Option<Strike> {
        let is_crowded = self.slow_down.is_some_and(|limit| at_once > limit);
        if self.is_nth(number, self.hang_every) {
            Some(Strike::Hang)
        } else if is_crowded || self.is_nth(number, self.refuse_every) {
            Some(Strike::SlowDown { retry_after: self.random(number) % 2 == 1 })
        } else {
            self.is_nth(number, self.fail_every).then_some(Strike::Fail)
        }
    }

    pub(crate) fn spoil(&self, number: u64) -> Option<Spoil> {
        let spoils = [
            (self.reset_every, Spoil::Reset),
            (self.cut_connection_every, Spoil::CutConnection),
            (self.cut_body_every, Spoil::CutBody),
        ];
        spoils.into_iter().find(|(every, _)| self.is_nth(number, *every)).map(|(_, spoil)| spoil)
    }

    /// What to sleep before the answer to a list request.
    pub(crate) fn latency(&self, number: u64) -> Duration {
        let is_slow = self.is_nth(number, self.slow_first_byte_every);
        self.first_byte + if is_slow { self.slow_first_byte } else { Duration::ZERO }
    }

    /// How many keys the page of a request may have: `asked`, or fewer of them but at least one.
    pub(crate) fn page_length(&self, number: u64, asked: u64) -> u64 {
        if self.short_pages && asked > 0 { 1 + self.random(number) % asked } else { asked }
    }

    pub(crate) fn is_empty_page(&self, number: u64) -> bool {
        self.is_nth(number, self.empty_pages_every)
    }

    /// The region in which the bucket is.
    pub(crate) fn region(&self) -> &str {
        self.wrong_region.as_deref().unwrap_or("us-east-1")
    }
}
