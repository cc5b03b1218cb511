//! Prefixes that are listed level by level: each once, side by side, in the order of the prefixes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "azure/server.rs"]
mod server;

use std::num::NonZero;
use std::time::Duration;

use fewer_stores::{Answer, Failed, Level, LevelVisitor, Levels, Location, Object, Outcome};
use fewer_stores::{Overrides, Reason};
use server::{Faults, Server};

/// Four folders in each folder down to the fourth level, with three objects in each.
fn deep() -> Vec<String> {
    let mut folders = vec![String::new()];
    let mut keys = Vec::new();
    for depth in 0..5 {
        let objects = folders.iter().flat_map(|it| (0..3).map(move |at| format!("{it}o{at}")));
        keys.extend(objects);
        if depth < 4 {
            let below = |it: &String| ["a", "b", "b-", "c+ é"].map(|name| format!("{it}{name}/"));
            folders = folders.iter().flat_map(below).collect();
        }
    }
    keys
}

const FOLDERS: usize = 1 + 4 + 16 + 64 + 256;

/// The order in which objects come: a level, then those below it.
fn in_order(mut keys: Vec<String>) -> Vec<String> {
    keys.sort_by_key(|key| {
        let end = key.rfind('/').map_or(0, |at| at + 1);
        (key[..end].to_owned(), key.clone())
    });
    keys
}

#[derive(Default)]
struct Seen {
    objects: Vec<String>,
    depths: Vec<usize>,
    not_entered: &'static str,
    /// Stops at this object.
    last: Option<String>,
}

impl LevelVisitor for Seen {
    fn objects(&mut self, level: &Level, objects: &mut dyn Iterator<Item = Object<'_>>) -> Answer {
        for object in objects.filter(|object| !object.is_common_prefix) {
            let key = std::str::from_utf8(object.key).unwrap().to_owned();
            assert!(key.starts_with(&level.prefix));
            assert_eq!(object.size, 7);
            self.depths.push(level.depth);
            self.objects.push(key);
            if self.last == self.objects.last().cloned() {
                return Answer::Stop;
            }
        }
        Answer::Continue
    }

    fn enters(&mut self, _: &Level, prefix: &[u8]) -> bool {
        self.not_entered.is_empty() || prefix != self.not_entered.as_bytes()
    }
}

fn levels(server: &Server, starts: &[&str]) -> Levels {
    let overrides =
        Overrides { endpoint: Some(server.address()), anonymous: true, ..Overrides::default() };
    let starts = starts.iter().map(|start| (*start).to_owned()).collect();
    Levels::new(Location::parse("az://c").unwrap(), starts).overrides(overrides)
}

fn list(levels: &Levels) -> (Seen, Result<(Outcome, Vec<Level>), Failed>) {
    let mut seen = Seen::default();
    let listed = levels.visit(&mut seen);
    (seen, listed)
}

#[test]
fn a_deep_tree_is_listed_side_by_side_for_a_request_each() {
    // So slow that what else the machine does plays no part.
    let wait = Duration::from_millis(50);
    let server = Server::start(deep(), 5_000, Faults { wait, ..Faults::default() });
    let (seen, listed) = list(&levels(&server, &[""]));
    let (outcome, left) = listed.unwrap();
    assert!(seen.objects == in_order(deep()), "{:?}", &seen.objects[..20]);
    assert!(seen.objects.iter().zip(&seen.depths).all(|(key, at)| key.matches('/').count() == *at));
    assert!(left.is_empty());
    assert_eq!((server.requests(), outcome.requests), (FOLDERS, FOLDERS as u64));
    assert_eq!(outcome.keys as usize, deep().len() + FOLDERS - 1);
    assert!(server.most_at_once() > 8, "{}", server.most_at_once());
    // One at a time, for the same price and in the same order.
    let server = Server::start(deep(), 5_000, Faults::default());
    let one = levels(&server, &[""]).requests(NonZero::new(1).unwrap());
    let (serial, listed) = list(&one);
    assert!(serial.objects == seen.objects && listed.unwrap().0 == outcome);
    assert_eq!((server.requests(), server.most_at_once()), (FOLDERS, 1));
}

#[test]
fn levels_of_several_pages_come_in_their_order() {
    let wait = Duration::from_millis(1);
    let server = Server::start(deep(), 2, Faults { wait, ..Faults::default() });
    let (seen, listed) = list(&levels(&server, &[""]));
    assert!(seen.objects == in_order(deep()));
    // Seven entries are four pages, and three in a folder without others are two.
    let requests = 85 * 4 + 256 * 2;
    assert_eq!((server.requests(), listed.unwrap().0.requests), (requests, requests as u64));
}

#[test]
fn a_store_that_wants_fewer_requests_gets_fewer() {
    let wait = Duration::from_millis(2);
    let faults = Faults { refuse_every: Some(7), wait, ..Faults::default() };
    let server = Server::start(deep(), 5_000, faults);
    let (seen, listed) = list(&levels(&server, &[""]).requests(NonZero::new(12).unwrap()));
    let (outcome, _) = listed.unwrap();
    assert!(seen.objects == in_order(deep()));
    assert_eq!(outcome.requests as usize, FOLDERS + server.refused());
    assert_eq!((outcome.repeated, outcome.slowed), (outcome.slowed, server.refused() as u64));
    assert!(server.refused() > 40 && server.most_at_once() <= 12);
}

#[test]
fn what_is_left_and_what_came_are_all_of_it() {
    let wait = Duration::from_millis(1);
    for (budget, refuse_every) in [(10, None), (50, None), (300, Some(9)), (2_000, None)] {
        let faults = Faults { wait, refuse_every, ..Faults::default() };
        let server = Server::start(deep(), 3, faults);
        let (mut starts, mut found, mut units) = (vec![String::new()], Vec::new(), 0);
        while !starts.is_empty() {
            let names: Vec<&str> = starts.iter().map(String::as_str).collect();
            let (seen, listed) = list(&levels(&server, &names).most_keys(budget));
            let (outcome, left) = listed.unwrap();
            // Each that was begun when the budget was used up has seven entries at most.
            assert!(outcome.keys < budget + 64 * 7, "{budget}: {}", outcome.keys);
            found.extend(seen.objects);
            starts = left.into_iter().map(|level| level.prefix).collect();
            units += 1;
        }
        found.sort();
        let mut all = deep();
        all.sort();
        assert!(found == all, "{budget}");
        assert!(units > 1 || budget == 2_000, "{budget}");
        let requests = server.requests() - server.refused();
        assert!(requests == 85 * 3 + 256, "{budget}: {requests}");
    }
}

#[test]
fn prefixes_below_others_and_empty_ones_are_listed_as_given() {
    let server = Server::start(deep(), 5_000, Faults::default());
    let mut seen = Seen { not_entered: "a/b/", ..Seen::default() };
    let starts = ["a/", "a/b/b/", "none", "a/"];
    let (outcome, left) = levels(&server, &starts).visit(&mut seen).unwrap();
    assert!(left.is_empty());
    let below = |prefix: &str| deep().iter().filter(|key| key.starts_with(prefix)).count();
    assert_eq!(seen.objects.len(), 2 * (below("a/") - below("a/b/")) + below("a/b/b/"));
    assert!(seen.objects.iter().filter(|key| key.starts_with("a/b/")).count() == below("a/b/b/"));
    assert_eq!(outcome.requests, 2 * (85 - 21) + 5 + 1);
}

#[test]
fn a_level_that_is_refused_ends_the_listing_with_its_name() {
    let faults = Faults { closed: Some("b/a/"), ..Faults::default() };
    let server = Server::start(deep(), 5_000, faults);
    let failed = list(&levels(&server, &[""])).1.unwrap_err();
    assert_eq!(failed.error.address(), "az://c/b/a/");
    assert!(matches!(failed.error.reason(), Reason::Refused { status: 403, .. }), "{failed}");
    assert!(failed.outcome.requests > 1);
}

#[test]
fn who_has_enough_gets_no_more() {
    let wait = Duration::from_millis(1);
    let server = Server::start(deep(), 5_000, Faults { wait, ..Faults::default() });
    let mut seen = Seen { last: Some("a/a/o1".to_owned()), ..Seen::default() };
    levels(&server, &[""]).visit(&mut seen).unwrap();
    assert_eq!(seen.objects, ["o0", "o1", "o2", "a/o0", "a/o1", "a/o2", "a/a/o0", "a/a/o1"]);
    assert!(server.requests() < FOLDERS && !server.prefixes().is_empty());
}
