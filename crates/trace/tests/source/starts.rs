//! A process has several threads that watch programs.

use std::sync::mpsc;
use std::time::Duration;

use fewer_trace::source::Ending;

use super::fixture::traced;

/// Each new process has copies of the pipes of those that are started at the same time: none may
/// wait for another's.
#[test]
fn threads_start_programs_at_the_same_time() {
    const THREADS: usize = 8;
    const STARTS: usize = 100;
    let (sender, ends) = mpsc::channel();
    for _ in 0..THREADS {
        let sender = sender.clone();
        std::thread::spawn(move || {
            for _ in 0..STARTS {
                sender.send(traced(&["/bin/true".into()], false).ending).unwrap();
            }
        });
    }
    for number in 0..THREADS * STARTS {
        let end = ends.recv_timeout(Duration::from_secs(60));
        assert_eq!(end, Ok(Ending::Exited(0)), "run {number}");
    }
}
