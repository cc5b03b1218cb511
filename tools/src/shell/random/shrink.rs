//! Shortens a script that shows a difference: removes lines as long as it still does.

/// Trials after which a script is small enough.
const MOST_TRIALS: usize = 600;

/// The smallest script found for which `is_bad` holds, as it does for `script`. Runs of lines are
/// tried from half of the script down to one line.
pub(super) fn shrink(script: &str, mut is_bad: impl FnMut(&str) -> bool) -> String {
    let mut lines: Vec<&str> = script.lines().collect();
    let mut trials = 0;
    let mut size = lines.len() / 2;
    while size > 0 && trials < MOST_TRIALS {
        let mut at = 0;
        let mut smaller = false;
        while at + size <= lines.len() && trials < MOST_TRIALS {
            let rest: Vec<&str> = [&lines[..at], &lines[at + size..]].concat();
            trials += 1;
            if is_bad(&joined(&rest)) {
                lines = rest;
                smaller = true;
            } else {
                at += (size / 4).max(1);
            }
        }
        // Lines that needed these may be useless now: the same size again.
        if !smaller || size > 3 {
            size = if size > 12 { size / 2 } else { size - 1 };
        }
    }
    joined(&lines)
}

fn joined(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_matters_is_left() {
        let script: String = (0..40).map(|line| format!("line {line}\n")).collect();
        let left = shrink(&script, |text| text.contains("line 7\n") && text.contains("line 31\n"));
        assert_eq!(left, "line 7\nline 31\n");
    }
}
