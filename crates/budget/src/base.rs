//! How a budget names files, so that it holds in another checkout and for another user.

const OUTPUTS: [&[u8]; 2] = [b"stdout", b"stderr"];

/// The directory that a command runs in, and the user's own.
#[derive(Clone, Debug, Default)]
pub struct Base {
    directory: Vec<u8>,
    home: Vec<u8>,
    outputs: [Vec<u8>; 2],
}

impl Base {
    /// Both absolute. Without a home directory (or with `/` as one) nothing is named after it.
    #[must_use]
    pub fn new(directory: &[u8], home: &[u8]) -> Base {
        let trimmed = |path: &[u8]| -> Vec<u8> {
            let end = path.iter().rposition(|byte| *byte != b'/').map_or(0, |last| last + 1);
            path[..end].into()
        };
        let outputs = [Vec::new(), Vec::new()];
        Base { directory: trimmed(directory), home: trimmed(home), outputs }
    }

    /// These files are the standard output and error: `stdout` and `stderr` from now on.
    #[must_use]
    pub fn with_outputs(self, outputs: [Vec<u8>; 2]) -> Base {
        Base { outputs, ..self }
    }

    /// The name of a file in a budget: below the working directory with a `.` in front, below
    /// the home directory with a `~`, else as it is.
    pub(crate) fn name(&self, path: &[u8]) -> Vec<u8> {
        if let Some(at) = self.outputs.iter().position(|output| *output == path && !path.is_empty())
        {
            return OUTPUTS[at].into();
        }
        match (below(path, &self.directory), below(path, &self.home)) {
            (Some(b""), _) => b".".into(),
            (Some(rest), _) => [b"./", rest].concat(),
            (None, Some(b"")) => b"~".into(),
            (None, Some(rest)) => [b"~/", rest].concat(),
            (None, None) => path.into(),
        }
    }
}

fn below<'p>(path: &'p [u8], directory: &[u8]) -> Option<&'p [u8]> {
    if directory.is_empty() {
        return None;
    }
    match path.strip_prefix(directory)? {
        b"" => Some(b""),
        rest => rest.strip_prefix(b"/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hold_in_another_checkout_and_for_another_user() {
        let base = Base::new(b"/home/a/project/", b"/home/a");
        for (path, name) in [
            ("/home/a/project", "."),
            ("/home/a/project/src/x", "./src/x"),
            ("/home/a/projects", "~/projects"),
            ("/home/a", "~"),
            ("/home/a/.config", "~/.config"),
            ("/home/ab", "/home/ab"),
            ("/home/a/project/~/x", "./~/x"),
            ("/etc/passwd", "/etc/passwd"),
            ("pipe:[7]", "pipe:[7]"),
            ("", ""),
        ] {
            assert_eq!(base.name(path.as_bytes()), name.as_bytes(), "{path}");
        }
        let base = base.with_outputs([b"/tmp/o (deleted)".into(), b"/tmp/e".into()]);
        assert_eq!(base.name(b"/tmp/o (deleted)"), b"stdout");
        assert_eq!(base.name(b"/tmp/e"), b"stderr");
        assert_eq!(base.name(b""), b"");
        assert_eq!(Base::new(b"/", b"/").name(b"/etc"), b"/etc");
        assert_eq!(Base::default().name(b"/etc"), b"/etc");
    }
}
