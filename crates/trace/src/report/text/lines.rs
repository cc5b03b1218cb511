//! Lines of a certain width.

/// Columns of the report.
pub(crate) const WIDTH: usize = 96;

/// Breaks a text at spaces into at most `most` lines. What does not fit is cut: `...`; if there is
/// no limit, nothing is.
pub(crate) fn wrap(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let word = if most == usize::MAX { word.to_owned() } else { fit(word, width) };
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            if lines.len() + 1 == most {
                // Half a number is another number: whole words go.
                while line.chars().count() + 4 > width {
                    line.truncate(line.rfind(' ').unwrap_or(0));
                    if line.is_empty() {
                        break;
                    }
                }
                line.push_str(" ...");
                break;
            }
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        line.push_str(&word);
        used += length;
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// Cuts out the middle of what is too long: both ends of a name say the most.
pub(crate) fn fit(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return text.to_owned();
    }
    let kept = width.saturating_sub(3);
    let front = kept / 2;
    let mut out: String = text.chars().take(front).collect();
    out.push_str("...");
    out.extend(text.chars().skip(length - (kept - front)));
    out
}

/// Cuts off the beginning of what is too long: the end of a site says the most.
pub(crate) fn fit_end(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return text.to_owned();
    }
    let tail = text.chars().skip(length - width.saturating_sub(3));
    "...".chars().chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_at_spaces() {
        assert_eq!(wrap("one two three", 7, 9), ["one two", "three"]);
        assert_eq!(wrap("one two three four", 9, 1), ["one ..."]);
        assert_eq!(wrap("a abcdefghijkl", 8, 9), ["a", "ab...jkl"]);
        assert_eq!(wrap("a abcdefghijkl", 8, usize::MAX), ["a", "abcdefghijkl"]);
        assert!(wrap("", 8, 9).is_empty());
    }

    #[test]
    fn what_is_too_long_is_cut_where_it_says_least() {
        assert_eq!(fit("abcdefghij", 7), "ab...ij");
        assert_eq!(fit("\u{e9}\u{e9}\u{e9}", 3), "\u{e9}\u{e9}\u{e9}");
        assert_eq!(fit_end("/long/way/x.c:12", 9), "...x.c:12");
    }
}
