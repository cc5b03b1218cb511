//! `true` and `false`.

use super::{Lent, Tool};
use crate::Text;

pub(super) const TRUE: Tool = Tool { name: "true", fits, run: |_, _| Ok(0) };
pub(super) const FALSE: Tool = Tool { name: "false", fits, run: |_, _| Ok(1) };

fn fits(arguments: &[Text], _: &Lent<'_>) -> bool {
    !matches!(arguments, [only] if only.starts_with(b"--"))
}

#[cfg(test)]
mod tests {
    use crate::tools::judge::same;

    #[test]
    fn arguments_do_not_matter() {
        for tool in ["true", "false"] {
            for arguments in [&[][..], &["-x"], &["--", "--help"], &["--help", "x"]] {
                assert!(same(tool, arguments, b""));
            }
            assert!(!same(tool, &["--help"], b""));
        }
    }
}
