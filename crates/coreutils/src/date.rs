//! `date`: the current time in a format.

use fewer::{Time, Zone};

use super::arguments::{Arguments, KnownOptions};
use crate::{Io, ToolJob, ToolResult};

const OPTIONS: KnownOptions = KnownOptions {
    short: b"IRu",
    long: &["iso-8601=I", "rfc-email=R", "universal=u", "utc=u"],
    anywhere: true,
};

/// Prints the current time.
pub(crate) struct Date<'a> {
    format: &'a [u8],
    utc: bool,
}

impl<'a> Date<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Date<'a>> {
        let (mut format, mut utc): (Option<&[u8]>, _) = (None, false);
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, _)) = options.next()? {
            match letter {
                b'u' => utc = true,
                _ if format.is_some() => return None,
                b'I' => format = Some(b"%Y-%m-%d"),
                _ => format = Some(b"%a, %d %b %Y %H:%M:%S %z"),
            }
        }
        match options.operands(io)?[..] {
            [] => {}
            [operand] if format.is_none() => format = Some(operand.strip_prefix(b"+")?),
            _ => return None,
        }
        // Where zones are looked for is not ours to say.
        let other_zones = (io.environment)(b"TZDIR").is_some();
        let format = format.unwrap_or(b"%a %b %e %H:%M:%S %Z %Y");
        (!other_zones).then_some(Date { format, utc })
    }

    /// Whether the format is independent of the zone, as seconds since 1970 are.
    fn is_everywhere_the_same(&self) -> bool {
        let mut rest = self.format;
        while let Some(place) = memchr::memchr(b'%', rest) {
            if !matches!(rest.get(place + 1), Some(b's' | b'N' | b'n' | b't' | b'%')) {
                return false;
            }
            rest = &rest[place + 2..];
        }
        true
    }
}

impl ToolJob for Date<'_> {
    /// Price: three calls for the zone, unless it makes no difference.
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let zone = if self.utc || self.is_everywhere_the_same() {
            Zone::utc()
        } else {
            Zone::from_tz((io.environment)(b"TZ").as_deref())
        };
        let mut out = Vec::new();
        zone.write(self.format, Time::now(), &mut out);
        out.push(b'\n');
        io.output.write(&out)?;
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::compare::{Comparison, words};

    /// The clock goes on while both are asked: only an answer that is still the same afterwards
    /// can be compared.
    fn same(comparison: &Comparison, arguments: &[String]) {
        for _ in 0..20 {
            let before = comparison.ours("date", arguments, b"").unwrap();
            let real = comparison.real("date", arguments, b"");
            let after = comparison.ours("date", arguments, b"").unwrap();
            if before == after {
                assert_eq!(before, real, "{arguments:?}");
                return;
            }
        }
        panic!("the clock runs away: {arguments:?}");
    }

    #[test]
    fn formats_in_zones() {
        for zone in ["", "Europe/Berlin", "America/St_Johns", "EST5EDT", "<+03>-3", "none"] {
            let comparison = Comparison::new().with("TZ", zone);
            for line in [
                "+%Y-%m-%d␣%H:%M:%S␣%z␣%Z", "+%s", "+%H", "-u +%F␣%T␣%Z",
                "+%c|%x|%X|%r|%D|%p|%P|%j|%U|%W|%V|%G|%g|%u|%w|%C|%h|%k|%l|%I",
                "+%-d/%_m/%3Y␣%^a␣%#Z␣%:z␣%::z␣%:::z␣%5S%%%n%t", "+%Q␣%E␣%", "+%s␣%+4Y␣%10s␣%Ey",
                "+", "-- +%A", "+%B --utc", "", "-R", "-uI", "--iso-8601",
            ] {
                same(&comparison, &words(line));
            }
        }
    }

    #[test]
    fn other_dates_are_left_to_the_real_one() {
        for line in ["-d now +%s", "+%s +%s", "01010101", "-R +%s", "-Iseconds", "-r x", "--help"] {
            assert!(!Comparison::new().supports("date", &words(line)), "{line}");
        }
        assert!(!Comparison::new().with("TZDIR", "/x").supports("date", &["+%s"]));
    }
}
