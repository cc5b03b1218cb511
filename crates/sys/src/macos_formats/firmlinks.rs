//! Which directories of the data volume are found elsewhere, too: what `/usr/share/firmlinks` says.
//!
//! macOS keeps the system on one volume and all else on another, which is mounted at
//! `/System/Volumes/Data`. A *firmlink* is a directory of the first that is one of the second:
//! `/Users` is `/System/Volumes/Data/Users`. The device number is the same on both sides, nothing
//! is mounted there, and no flag of the directory says it. The list of them is a file: on each line
//! the path of the directory and, behind a tab, that of its target below the data volume.

use crate::Firmlink;

/// Where the data volume is mounted.
pub(crate) const DATA_VOLUME: &[u8] = b"/System/Volumes/Data";

/// Where the list is.
pub(crate) const LIST: &std::ffi::CStr = c"/usr/share/firmlinks";

/// The links in the text of the list; a line that is none is passed over.
pub(crate) fn parse(text: &[u8]) -> Vec<Firmlink> {
    text.split(|&byte| byte == b'\n').filter_map(firmlink).collect()
}

fn firmlink(line: &[u8]) -> Option<Firmlink> {
    let tab = line.iter().position(|&byte| byte == b'\t')?;
    let (path, target) = (line[..tab].trim_ascii(), line[tab + 1..].trim_ascii());
    let is_whole = path.starts_with(b"/") && path.len() > 1 && !target.is_empty();
    if !is_whole || target.starts_with(b"/") {
        return None;
    }
    let target = [DATA_VOLUME, b"/", target].concat();
    Some(Firmlink { path: path.to_vec(), target })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of the list of macOS 10.15, and some that are none.
    #[test]
    fn each_line_has_a_path_and_a_target_below_the_data_volume() {
        let text = b"/AppleInternal\tAppleInternal\n/Users\tUsers\n\
            /System/Library/Caches\tSystem/Library/Caches\n\
            /private\tprivate\n\n# a note\n/\tall\nUsers\tUsers\n/x\t\n/y\t/y\n\
            /usr/local\tusr/local";
        let found = parse(text);
        let found: Vec<(&[u8], &[u8])> =
            found.iter().map(|link| (&*link.path, &*link.target)).collect();
        assert_eq!(
            found,
            [
                (&b"/AppleInternal"[..], &b"/System/Volumes/Data/AppleInternal"[..]),
                (b"/Users", b"/System/Volumes/Data/Users"),
                (b"/System/Library/Caches", b"/System/Volumes/Data/System/Library/Caches"),
                (b"/private", b"/System/Volumes/Data/private"),
                (b"/usr/local", b"/System/Volumes/Data/usr/local"),
            ]
        );
    }
}
