//! Puts syntax errors into a script: a token is dropped, doubled, inserted, or swapped with the
//! next.

use super::dice::Dice;

/// Tokens that are inserted.
const STRAY: [&str; 18] = [
    ";", ";;", "&", "|", "&&", ")", "(", "fi", "done", "then", "}", "{", "esac", "<", "<<", "\"",
    "'", "`",
];

/// The script with one or two changes, which may leave it valid after all.
pub(super) fn insert(script: &str, dice: &mut Dice) -> String {
    let mut tokens = tokens(script);
    for _ in 0..dice.between(1, 2) {
        let places: Vec<usize> =
            (0..tokens.len()).filter(|at| !tokens[*at].trim_matches(' ').is_empty()).collect();
        if places.len() < 2 {
            break;
        }
        let which = dice.below(places.len() - 1);
        let (at, next) = (places[which], places[which + 1]);
        match dice.below(4) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at]),
            2 => tokens.swap(at, next),
            _ => tokens.insert(at, STRAY[dice.below(STRAY.len())]),
        }
    }
    let made = tokens.concat();
    // The number of a process differs in each run.
    if ["$$", "$!", "PPID"].iter().any(|number| made.contains(number)) {
        return script.to_owned();
    }
    made
}

/// Words, runs of blanks, and anything else alone. Together they are the script.
fn tokens(script: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' | '.' => 0,
        ' ' => 1,
        ';' | '&' | '|' | '<' | '>' => 2,
        _ => 3,
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in script.char_indices() {
        if before.is_some_and(|before| before != kind(c) || before == 3) {
            tokens.push(&script[start..at]);
            start = at;
        }
        before = Some(kind(c));
    }
    tokens.push(&script[start..]);
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_script() {
        let script = "if [ \"$a\" ]; then echo x>>f && fx; fi\n";
        assert_eq!(tokens(script).concat(), script);
        assert!(tokens(script).contains(&">>") && tokens(script).contains(&"then"));
        let mut dice = Dice::new(3);
        assert!((0..20).all(|_| !insert(script, &mut dice).is_empty()));
    }
}
