//! Requests that were submitted and have no completion yet. A completion says what the program
//! wrote into the submission, and nothing else; where two have the same, they are taken in turn.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::{Completion, Submission};
use crate::Request;

/// So many are remembered for a ring; further ones are reported at once, without a result.
const MOST: usize = 1 << 16;

#[derive(Default)]
pub(crate) struct InFlight {
    requests: FxHashMap<u64, VecDeque<(Submission, Request)>>,
    count: usize,
    /// Reported at once: completions to be expected, although nothing of them is known.
    beyond: u64,
}

/// What a completion answers.
pub(crate) enum Answered {
    /// A request, which is done now (then it is here as well) or goes on.
    Request(Submission, Option<Request>),
    /// Nothing that was remembered, though that was to be expected.
    Beyond,
    /// Nothing that was seen.
    Nothing,
}

impl InFlight {
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a request; gives it back if there are too many.
    pub(crate) fn add(&mut self, submission: Submission, request: Request) -> Option<Request> {
        if self.count >= MOST {
            self.beyond += 1;
            return Some(request);
        }
        self.count += 1;
        self.requests.entry(submission.user_data).or_default().push_back((submission, request));
        None
    }

    /// What a completion answers.
    pub(crate) fn complete(&mut self, completion: &Completion) -> Answered {
        let Some(waiting) = self.requests.get_mut(&completion.user_data) else {
            let is_beyond = self.beyond > 0;
            self.beyond = self.beyond.saturating_sub(u64::from(!completion.goes_on()));
            return if is_beyond { Answered::Beyond } else { Answered::Nothing };
        };
        let Some((submission, request)) = waiting.front_mut() else { return Answered::Nothing };
        if !completion.is_notification() {
            request.result.get_or_insert(completion.result);
            if request.operation.class().moves_bytes() {
                let moved = u64::try_from(completion.result).unwrap_or(0);
                request.moved = request.moved.saturating_add(moved);
            }
        }
        let submission = *submission;
        if completion.goes_on() {
            return Answered::Request(submission, None);
        }
        let done = waiting.pop_front().map(|(_, request)| request);
        self.count -= 1;
        if waiting.is_empty() {
            self.requests.remove(&completion.user_data);
        }
        Answered::Request(submission, done)
    }

    /// All that were never answered, in the order in which they were submitted.
    pub(crate) fn drain(&mut self) -> Vec<Request> {
        self.count = 0;
        let waiting = std::mem::take(&mut self.requests);
        let mut rest: Vec<(u64, Request)> = waiting
            .into_iter()
            .flat_map(|(key, waiting)| waiting.into_iter().map(move |(_, it)| (key, it)))
            .collect();
        rest.sort_by_key(|(key, request)| (request.start, *key));
        rest.into_iter().map(|(_, request)| request).collect()
    }
}
