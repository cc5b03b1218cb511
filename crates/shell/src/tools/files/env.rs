//! `env` that lists.

use crate::Text;
use crate::tools::arguments::{Arguments, Known};
use crate::tools::{Broken, Lent, Tool};

pub(in super::super) const ENV: Tool =
    Tool { name: "env", fits: |arguments, lent| end(arguments, lent).is_some(), run };

const OPTIONS: Known = Known { short: b"0", long: &[("null", b'0', false)], anywhere: false };

fn end(arguments: &[Text], lent: &Lent<'_>) -> Option<&'static [u8]> {
    let mut end: &[u8] = b"\n";
    let mut options = Arguments::new(&OPTIONS, arguments);
    while options.next()?.is_some() {
        end = b"\0";
    }
    options.operands(lent)?.is_empty().then_some(end)
}

fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let end = end(arguments, lent).ok_or(Broken::Unfit)?;
    let mut all = Vec::new();
    (lent.variables)(&mut |variable| {
        all.extend_from_slice(variable);
        all.extend_from_slice(end);
    });
    lent.output.write(&all)?;
    Ok(0)
}

#[cfg(test)]
mod tests {
    use crate::tools::judge::Judge;

    #[test]
    fn variables_are_listed() {
        let judge = Judge::new().with("A", "1").with("B", "two\nlines").with("EMPTY", "");
        assert!(judge.same("env", &[] as &[&str], b""));
        assert!(judge.same("env", &["-0"], b""));
        assert!(judge.same("env", &["--null"], b""));
        for arguments in [&["-i"][..], &["A=2"], &["true"], &["-u", "A"]] {
            assert!(!judge.same("env", arguments, b""));
        }
    }
}
