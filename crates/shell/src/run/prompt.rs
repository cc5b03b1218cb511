//! The escapes of bash's prompts, for `${a@P}` and PS4.

use fewer::Time;

use super::Shell;

impl Shell {
    /// A prompt with its escapes resolved; what they come to is not expanded once more.
    pub(crate) fn prompt_escapes(&mut self, prompt: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(prompt.len());
        let mut rest = prompt;
        while let Some(at) = memchr::memchr(b'\\', rest) {
            out.extend_from_slice(&rest[..at]);
            let Some(&letter) = rest.get(at + 1) else {
                rest = &rest[at..];
                break;
            };
            let octal =
                rest[at + 1..].iter().take(3).take_while(|byte| (b'0'..=b'7').contains(byte));
            let digits = octal.count();
            if digits == 3 {
                let value = rest[at + 1..at + 4]
                    .iter()
                    .fold(0u32, |sum, digit| sum * 8 + u32::from(digit - b'0'));
                out.push(u8::try_from(value & 0xff).unwrap_or(0));
                rest = &rest[at + 4..];
                continue;
            }
            rest = &rest[at + 2..];
            if letter == b'D'
                && let Some(end) = memchr::memchr(b'}', rest)
                && let Some(format) = rest[..end].strip_prefix(b"{")
            {
                let format = if format.is_empty() { b"%X" } else { format };
                self.prompt_time(format, &mut out);
                rest = &rest[end + 1..];
                continue;
            }
            self.prompt_letter(letter, &mut out);
        }
        out.extend_from_slice(rest);
        out
    }

    fn prompt_time(&mut self, format: &[u8], out: &mut Vec<u8>) {
        self.zone_of_script().strftime(format, Time::now().seconds, out);
    }

    fn prompt_letter(&mut self, letter: u8, out: &mut Vec<u8>) {
        match letter {
            b'a' => out.push(7),
            b'e' => out.push(27),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b'[' | b']' => {}
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'$' => {
                let root = sys::own_user() == 0;
                out.extend_from_slice(if root { b"#" } else { b"\\$" });
            }
            b'u' => {
                let name = sys::user_name(sys::own_user());
                out.extend_from_slice(name.as_deref().unwrap_or(b"I have no name!"));
            }
            b'h' | b'H' => {
                let host = sys::host_name();
                let end = memchr::memchr(b'.', &host).filter(|_| letter == b'h');
                out.extend_from_slice(&host[..end.unwrap_or(host.len())]);
            }
            b's' => out.extend_from_slice(b"bash"),
            b'v' => out.extend_from_slice(b"5.2"),
            b'V' => out.extend_from_slice(b"5.2.15"),
            b'j' => out.push(b'0'),
            b'l' => out.extend_from_slice(b"tty"),
            b'!' | b'#' => out.push(b'1'),
            b'w' | b'W' => self.prompt_directory(letter == b'W', out),
            b'd' => self.prompt_time(b"%a %b %d", out),
            b't' => self.prompt_time(b"%H:%M:%S", out),
            b'T' => self.prompt_time(b"%I:%M:%S", out),
            b'@' => self.prompt_time(b"%I:%M %p", out),
            b'A' => self.prompt_time(b"%H:%M", out),
            letter => out.extend_from_slice(&[b'\\', letter]),
        }
    }

    /// The working directory, with `~` for HOME; or its last name only.
    fn prompt_directory(&mut self, last_only: bool, out: &mut Vec<u8>) {
        let directory = self.get(self.variables.known.pwd).map(<[u8]>::to_vec).unwrap_or_default();
        let home = self.get(self.variables.known.home).map(<[u8]>::to_vec).unwrap_or_default();
        let below = directory
            .strip_prefix(&*home)
            .filter(|rest| !home.is_empty() && (rest.is_empty() || rest[0] == b'/'));
        if last_only {
            let name = directory.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
            return out.extend_from_slice(match below {
                Some(b"") => b"~",
                _ if name.is_empty() => b"/",
                _ => name,
            });
        }
        match below {
            Some(rest) => {
                out.push(b'~');
                out.extend_from_slice(rest);
            }
            None => out.extend_from_slice(&directory),
        }
    }
}
