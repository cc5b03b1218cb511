//! Debug information of distribution programs, from servers: debuginfod.
//!
//! | module | what is in it |
//! |---|---|
//! | here | which servers are asked, in which order, and what went wrong |
//! | `cache` | what servers have answered, shared with elfutils and gdb |
//! | `fetch` | one request, made by curl |
//!
//! Nothing is asked of the network unless `DEBUGINFOD_URLS` names servers. The variables and the
//! cache are those of elfutils (debuginfod-client-config(7)).
//!
//! Real servers speak HTTPS. A library for that would be about twenty crates more in every build,
//! with certificates of its own; curl is on most machines, and knows its proxies and certificates.

mod cache;
mod fetch;

use std::path::PathBuf;

use self::cache::{Cache, Kept};
use self::fetch::{Answer, Limits};
use crate::source::interrupt::InterruptGuard;

/// The servers of `DEBUGINFOD_URLS`.
#[derive(Debug)]
pub(super) struct Client {
    /// A server that has failed is not asked again.
    servers: Vec<String>,
    cache: Cache,
    limits: Limits,
    /// What went wrong, each once.
    failures: Vec<String>,
}

impl Client {
    /// `None` without `DEBUGINFOD_URLS`, or where no folder can be the cache.
    pub(super) fn from_environment() -> Option<Client> {
        let servers = std::env::var("DEBUGINFOD_URLS").ok()?;
        let servers = servers.split_whitespace().map(|url| url.trim_end_matches('/').to_owned());
        let servers: Vec<String> = servers.collect();
        if servers.is_empty() {
            return None;
        }
        let (cache, limits) = (Cache::from_environment()?, Limits::from_environment());
        Some(Client { servers, cache, limits, failures: Vec::new() })
    }

    /// The folder that has shared debug information below `.build-id`, as `/usr/lib/debug` has.
    pub(super) fn folder(&self) -> PathBuf {
        self.cache.folder()
    }

    /// The file with the debug information of the program that has this build id. `subject` is
    /// the program, for the line on a terminal.
    ///
    /// Price: two `statx` if it is in the cache; otherwise a run of curl for each server, until one
    /// has it.
    pub(super) fn debug_file(&mut self, build_id: &str, subject: &[u8]) -> Option<PathBuf> {
        match self.cache.look_up(build_id) {
            Kept::File(path) => return Some(path),
            Kept::Nothing => return None,
            Kept::Unknown => {}
        }
        if self.servers.is_empty() {
            return None;
        }
        let part = match self.cache.make_room(build_id) {
            Ok(part) => part,
            Err(error) => {
                self.servers.clear();
                self.failures.push(format!("debug information of programs: {error}"));
                return None;
            }
        };
        let progress = fetch::Progress::of(subject);
        // Ctrl-C ends the request, and no other is begun; the report is made all the same.
        let interrupts = InterruptGuard::take();
        let (mut found, mut failed) = (false, Vec::new());
        for (at, server) in self.servers.iter().enumerate() {
            progress.show(server);
            match fetch::fetch(
                &format!("{server}/buildid/{build_id}/debuginfo"),
                &part,
                &self.limits,
            ) {
                Answer::Found => found = true,
                Answer::Missing => {}
                Answer::Failed(_) if interrupts.was_used() => {
                    self.failures.push("debug information from servers: interrupted".to_owned());
                    failed.extend(0..self.servers.len());
                    break;
                }
                Answer::Failed(why) => {
                    self.failures.push(format!("debug information from {server}: {why}"));
                    failed.push(at);
                }
            }
            if found {
                break;
            }
        }
        progress.clear();
        drop(interrupts);
        let all_answered = failed.is_empty();
        for at in failed.into_iter().rev() {
            self.servers.remove(at);
        }
        match found {
            true => self.cache.keep(build_id, &part),
            false => {
                self.cache.discard(&part);
                if all_answered {
                    self.cache.keep_nothing(build_id);
                }
                None
            }
        }
    }

    /// The same for debug information that several programs share. It is then also found below
    /// [`folder`](Client::folder).
    pub(super) fn shared_file(&mut self, build_id: &str, subject: &[u8]) {
        if self.debug_file(build_id, subject).is_some() {
            self.cache.link(build_id);
        }
    }

    /// What went wrong since the last time, a sentence for each.
    pub(super) fn take_failures(&mut self) -> Vec<String> {
        std::mem::take(&mut self.failures)
    }
}
