//! `pwd`, the program: without links, unless it is asked for.

use std::os::unix::ffi::OsStrExt;

use super::{Work, is_same};
use crate::Text;
use crate::tools::arguments::{Arguments, Known};
use crate::tools::{Broken, Lent, Tool};

pub(in super::super) const PWD: Tool =
    Tool { name: "pwd", fits: |arguments, lent| logical(arguments, lent).is_some(), run };

const OPTIONS: Known = Known {
    short: b"LP",
    long: &[("logical", b'L', false), ("physical", b'P', false)],
    anywhere: true,
};

fn logical(arguments: &[Text], lent: &Lent<'_>) -> Option<bool> {
    let mut logical = (lent.environment)(b"POSIXLY_CORRECT").is_some();
    let mut options = Arguments::new(&OPTIONS, arguments);
    while let Some((letter, _)) = options.next()? {
        logical = letter == b'L';
    }
    options.operands(lent)?.is_empty().then_some(logical)
}

/// Price: that of [`physical`](fewer::Scope::physical); for a logical path two `statx` before.
fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let logical = logical(arguments, lent).ok_or(Broken::Unfit)?;
    let mut work = Work::new("pwd", lent);
    if logical && let Some(said) = (work.lent.environment)(b"PWD") {
        let names = || said.split(|&byte| byte == b'/');
        let plain = said.starts_with(b"/") && !names().any(|name| matches!(name, b"." | b".."));
        if plain
            && let (Ok(there), Ok(here)) = (work.look_through(&said), work.look_through(b"."))
            && is_same(&there, &here)
        {
            work.say(&[&said])?;
            return Ok(0);
        }
    }
    let path = work.scope().physical().map_err(|_| Broken::Unfit)?;
    work.say(&[path.as_os_str().as_bytes()])?;
    Ok(0)
}

#[cfg(test)]
mod tests {
    use crate::tools::files::scene::Twins;

    #[test]
    fn it_is_told_where_we_are() {
        let twins = Twins::new();
        let judge = || twins.judge().within(&twins.ours().join("ld"));
        let link = twins.ours().join("ld");
        let real = twins.ours().join("d");
        let [link, real] = [&link, &real].map(|path| path.to_str().unwrap());
        for said in [link, real, "/tmp", "", "ld", &format!("{link}/../ld"), &format!("{link}/")] {
            for arguments in [&[][..], &["-P"], &["-L"], &["-LP"], &["--logical"]] {
                assert!(judge().with("PWD", said).same("pwd", arguments, b""));
                let strict = judge().with("PWD", said).with("POSIXLY_CORRECT", "1");
                assert!(strict.same("pwd", arguments, b""));
            }
        }
        assert!(!judge().same("pwd", &["x"], b""));
    }
}
