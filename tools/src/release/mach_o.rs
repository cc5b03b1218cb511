//! The head of a program for macOS, as <mach-o/loader.h> describes it: which processor it is for,
//! and the oldest system that runs it.

/// `MH_MAGIC_64`, in the order of bytes of both processors.
const MAGIC: u32 = 0xfeed_facf;
/// The kinds of files: a program, a shared library.
pub(super) const EXECUTE: u32 = 2;
pub(super) const DYLIB: u32 = 6;
/// The commands that say for which systems a file is: now, and before macOS 10.14.
const BUILD_VERSION: u32 = 0x32;
const VERSION_MIN_MACOSX: u32 = 0x24;
const PLATFORM_MACOS: u32 = 1;

const HEADER: usize = 32;

#[derive(Debug, PartialEq)]
pub(super) struct Head {
    pub(super) processor: u32,
    pub(super) kind: u32,
    /// The oldest macOS, as `(11, 0)`.
    pub(super) oldest: (u32, u32),
}

/// Reads the head of a file.
pub(super) fn head(file: &[u8]) -> Result<Head, String> {
    let word = |at: usize| {
        let bytes = file.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u32::from_le_bytes).ok_or("the file is cut off")
    };
    if word(0)? != MAGIC {
        return Err(format!("it begins with {:#x}, not with {MAGIC:#x}", word(0)?));
    }
    let (processor, kind, commands) = (word(4)?, word(12)?, word(16)?);
    let mut at = HEADER;
    for _ in 0..commands {
        let (command, size) = (word(at)?, word(at + 4)?);
        let version = match command {
            BUILD_VERSION if word(at + 8)? == PLATFORM_MACOS => Some(word(at + 12)?),
            BUILD_VERSION => return Err(format!("it is for platform {}", word(at + 8)?)),
            VERSION_MIN_MACOSX => Some(word(at + 8)?),
            _ => None,
        };
        if let Some(version) = version {
            return Ok(Head { processor, kind, oldest: (version >> 16, version >> 8 & 0xff) });
        }
        at += size as usize;
    }
    Err("it does not say for which macOS it is".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with an empty command and one more.
    fn file(command: &[u32]) -> Vec<u8> {
        let header = [MAGIC, 0x0100_000c, 0, EXECUTE, 2, 0, 0, 0];
        let words = header.iter().chain(&[0x1b, 8]).chain(command);
        words.flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn the_oldest_system_is_read() {
        let built = file(&[BUILD_VERSION, 24, PLATFORM_MACOS, 0x000b_0000, 0x000f_0200, 0]);
        let expected = Head { processor: 0x0100_000c, kind: EXECUTE, oldest: (11, 0) };
        assert_eq!(head(&built), Ok(expected));
        let older = head(&file(&[VERSION_MIN_MACOSX, 16, 0x000a_0c00, 0])).unwrap();
        assert_eq!(older.oldest, (10, 12));
    }

    #[test]
    fn other_files_are_refused() {
        assert!(head(b"\x7fELF").unwrap_err().contains("begins with"));
        let phone = file(&[BUILD_VERSION, 24, 2, 0, 0, 0]);
        assert_eq!(head(&phone), Err("it is for platform 2".to_owned()));
        assert_eq!(head(&phone[..40]), Err("the file is cut off".to_owned()));
        assert!(head(&file(&[0x1b, 8])).unwrap_err().contains("which macOS"));
    }
}
