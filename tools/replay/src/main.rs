//! `replay`: serves a made bucket until it is killed, or prints its keys.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use replay::{Faults, Keys, Replay};

/// Switches, and the faults that they turn on.
const SWITCHES: &[(&str, &str)] = &[
    ("ignores-start-after", "Ignore start-after"),
    ("unordered", "Give keys in another order than that of their bytes"),
    ("duplicates", "Begin each page with the last key of the page before"),
    ("short-pages", "Give fewer keys than asked for"),
    ("denied", "Answer everything with 403 AccessDenied"),
    ("no-bucket", "Answer everything with 404 NoSuchBucket"),
    ("repeats-token", "Give tokens that lead to the same page again"),
];

/// Flags with a number, and what they mean.
const NUMBERS: &[(&str, &str, &str)] = &[
    ("slow-down", "N", "Answer 503 SlowDown if more than N requests are being answered"),
    ("refuse-every", "N", "Answer each Nth request with 503 SlowDown"),
    ("fail-every", "N", "Answer each Nth request with 500 InternalError"),
    ("reset-every", "N", "Reset the connection in the middle of each Nth answer"),
    ("cut-connection-every", "N", "Close the connection in the middle of each Nth answer"),
    ("cut-body-every", "N", "Cut each Nth answer's XML in the middle"),
    ("hang-every", "N", "Never answer each Nth request"),
    ("first-byte", "MS", "Wait so many milliseconds before each answer"),
    ("slow-first-byte-every", "N", "Wait longer before each Nth answer"),
    ("slow-first-byte", "MS", "How many milliseconds longer"),
    ("empty-pages-every", "N", "Give each Nth page no key but a token"),
];

fn command() -> Command {
    let number = |name: &'static str| Arg::new(name).long(name).value_parser(value_parser!(u64));
    let mut command = Command::new("replay")
        .version(env!("CARGO_PKG_VERSION"))
        .about(
            "A server that answers S3 list requests like a store, of any size and with any fault",
        )
        .arg(number("keys").value_name("N").required(true).help("How many keys the bucket has"))
        .arg(
            Arg::new("shape")
                .long("shape")
                .value_parser(["skewed", "numbered"])
                .default_value("skewed")
                .help("Keys like those of real buckets, or a prefix and a number"),
        )
        .arg(Arg::new("prefix").long("prefix").default_value("key-").help("Of numbered keys"))
        .arg(number("seed").value_name("S").default_value("0").help("Another one, other keys"))
        .arg(
            Arg::new("port")
                .long("port")
                .value_name("P")
                .value_parser(value_parser!(u16))
                .default_value("0")
                .help("Port on 127.0.0.1; 0 is a free one"),
        )
        .arg(
            Arg::new("list-keys")
                .long("list-keys")
                .action(ArgAction::SetTrue)
                .help("Print all keys, one a line, and serve nothing"),
        )
        .arg(
            Arg::new("wrong-region")
                .long("wrong-region")
                .value_name("REGION")
                .help("Redirect what is not signed for this region"),
        );
    for (name, value, help) in NUMBERS {
        command = command.arg(number(name).value_name(*value).help(*help));
    }
    for (name, help) in SWITCHES {
        let switch = Arg::new(*name).long(*name).action(ArgAction::SetTrue).help(*help);
        command = command.arg(switch);
    }
    command
}

fn faults(flags: &ArgMatches) -> Faults {
    let number = |name: &str| flags.get_one::<u64>(name).copied();
    let duration = |name: &str| Duration::from_millis(number(name).unwrap_or_default());
    Faults {
        seed: number("seed").unwrap_or_default(),
        slow_down: number("slow-down").map(|limit| limit as usize),
        refuse_every: number("refuse-every"),
        fail_every: number("fail-every"),
        reset_every: number("reset-every"),
        cut_connection_every: number("cut-connection-every"),
        cut_body_every: number("cut-body-every"),
        hang_every: number("hang-every"),
        first_byte: duration("first-byte"),
        slow_first_byte_every: number("slow-first-byte-every"),
        slow_first_byte: duration("slow-first-byte"),
        ignores_start_after: flags.get_flag("ignores-start-after"),
        unordered: flags.get_flag("unordered"),
        duplicates: flags.get_flag("duplicates"),
        short_pages: flags.get_flag("short-pages"),
        empty_pages_every: number("empty-pages-every"),
        wrong_region: flags.get_one::<String>("wrong-region").cloned(),
        denied: flags.get_flag("denied"),
        no_bucket: flags.get_flag("no-bucket"),
        repeats_token: flags.get_flag("repeats-token"),
    }
}

fn keys(flags: &ArgMatches) -> Keys {
    let number = |name: &str| flags.get_one::<u64>(name).copied().unwrap_or_default();
    let text = |name: &str| flags.get_one::<String>(name).map_or("", String::as_str);
    match text("shape") {
        "numbered" => Keys::numbered(text("prefix"), number("keys")),
        _ => Keys::skewed(number("keys"), number("seed")),
    }
}

fn main() -> ExitCode {
    let flags = command().get_matches();
    let keys = keys(&flags);
    let ended = if flags.get_flag("list-keys") { print(&keys) } else { serve(&flags, keys) };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads the keys had enough of them.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("replay: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print(keys: &Keys) -> io::Result<()> {
    const BLOCK: usize = 256 << 10;
    let mut out = io::stdout().lock();
    let mut lines = Vec::with_capacity(BLOCK + 4096);
    for index in 0..keys.len() {
        keys.push_key(index, &mut lines);
        lines.push(b'\n');
        if lines.len() >= BLOCK {
            out.write_all(&lines)?;
            lines.clear();
        }
    }
    out.write_all(&lines)?;
    out.flush()
}

fn serve(flags: &ArgMatches, keys: Keys) -> io::Result<()> {
    let port = flags.get_one::<u16>("port").copied().unwrap_or_default();
    let server = Replay::start_at(&format!("127.0.0.1:{port}"), keys, faults(flags))?;
    println!("{}", server.address());
    loop {
        std::thread::park();
    }
}
