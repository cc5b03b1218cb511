//! `date`: now, in a format.

use std::time::SystemTime;

use fewer::{Time, Zone};

use super::arguments::{Arguments, Known};
use super::{Broken, Lent, Tool};
use crate::Text;

pub(super) const DATE: Tool =
    Tool { name: "date", fits: |arguments, lent| Job::new(arguments, lent).is_some(), run };

const OPTIONS: Known = Known {
    short: b"IRu",
    long: &[
        ("iso-8601", b'I', false),
        ("rfc-email", b'R', false),
        ("universal", b'u', false),
        ("utc", b'u', false),
    ],
    anywhere: true,
};

struct Job<'a> {
    format: &'a [u8],
    utc: bool,
}

impl<'a> Job<'a> {
    fn new(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
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
        match options.operands(lent)?[..] {
            [] => {}
            [operand] if format.is_none() => format = Some(operand.strip_prefix(b"+")?),
            _ => return None,
        }
        // Where zones are looked for is not ours to say.
        let elsewhere = (lent.environment)(b"TZDIR").is_some();
        let format = format.unwrap_or(b"%a %b %e %H:%M:%S %Z %Y");
        (!elsewhere).then_some(Job { format, utc })
    }

    /// Whether the zone makes no difference: seconds since 1970 are the same everywhere.
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

/// Price: three calls for the zone, unless it makes no difference.
fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(job) = Job::new(arguments, lent) else { return Ok(1) };
    let zone = if job.utc || job.is_everywhere_the_same() {
        Zone::utc()
    } else {
        Zone::from_tz((lent.environment)(b"TZ").as_deref())
    };
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
    let now = Time { seconds, nanoseconds: since.subsec_nanos() };
    let mut out = Vec::new();
    zone.write(job.format, now, &mut out);
    out.push(b'\n');
    lent.output.write(&out)?;
    Ok(0)
}

#[cfg(test)]
mod tests {
    use crate::Text;
    use crate::tools::judge::Judge;

    /// The clock goes on while both are asked: only an answer that is still the same afterwards
    /// can be compared.
    fn same(judge: &Judge, arguments: &[&str]) {
        let arguments: Vec<Text> =
            arguments.iter().map(|argument| Text::from_slice(argument.as_bytes())).collect();
        for _ in 0..20 {
            let before = judge.ours("date", &arguments, b"").unwrap();
            let real = judge.real("date", &arguments, b"");
            let after = judge.ours("date", &arguments, b"").unwrap();
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
            let judge = Judge::new().with("TZ", zone);
            for arguments in [
                &["+%Y-%m-%d %H:%M:%S %z %Z"][..],
                &["+%s"],
                &["+%H"],
                &["-u", "+%F %T %Z"],
                &["+%c|%x|%X|%r|%D|%p|%P|%j|%U|%W|%V|%G|%g|%u|%w|%C|%h|%k|%l|%I"],
                &["+%-d/%_m/%3Y %^a %#Z %:z %::z %:::z %5S%%%n%t"],
                &["+%Q %E %"],
                &["+%s %+4Y %10s %Ey"],
                &["+"],
                &["--", "+%A"],
                &["+%B", "--utc"],
                &[],
                &["-R"],
                &["-uI"],
                &["--iso-8601"],
            ] {
                same(&judge, arguments);
            }
        }
    }

    #[test]
    fn other_dates_are_left_to_the_real_one() {
        for arguments in [
            &["-d", "now", "+%s"][..],
            &["+%s", "+%s"],
            &["01010101"],
            &["-R", "+%s"],
            &["-Iseconds"],
            &["-r", "x"],
            &["--help"],
        ] {
            assert!(!Judge::new().fits("date", arguments), "{arguments:?}");
        }
        assert!(!Judge::new().with("TZDIR", "/x").fits("date", &["+%s"]));
    }
}
