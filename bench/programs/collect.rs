//! Collects all lines of a file with the library, three times and then ROUNDS times more, and
//! prints their number and the median of the latter's times: `collect ROUNDS FILE`.

use std::time::Instant;

use fewer::{LineError, Lines};

const WARM_UP: usize = 3;

fn main() -> Result<(), String> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(rounds), Some(path)) = (arguments.next(), arguments.next()) else {
        return Err("usage: collect ROUNDS FILE".into());
    };
    let rounds = rounds.to_str().and_then(|rounds| rounds.parse().ok());
    let rounds: usize = rounds.filter(|rounds| *rounds > 0).ok_or("ROUNDS is a number above 0")?;
    let mut times_ms = Vec::new();
    let mut count = 0;
    for _ in 0..WARM_UP + rounds {
        let start = Instant::now();
        let lines = Lines::open(&path).and_then(|mut lines| lines.collect());
        times_ms.push(start.elapsed().as_secs_f64() * 1e3);
        count = lines.map_err(|error: LineError| error.to_string())?.len();
    }
    let kept = &mut times_ms[WARM_UP..];
    kept.sort_by(f64::total_cmp);
    println!("{count} lines, {:.3} ms", kept[rounds / 2]);
    Ok(())
}
