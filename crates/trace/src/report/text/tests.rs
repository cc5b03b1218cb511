use super::super::sample::{finding, run};
use super::super::{Report, too_cheap};
use super::*;
use crate::explain::{Basis, Saved, Thresholds};
use crate::{Call, Event, FrameId, Name, Note, PathId, StackId, Text};

fn assert_text(report: &Report, expected: &str) {
    let text = report.text(&Palette::PLAIN);
    assert_eq!(text, expected, "\n{text}");
}

/// What is said first of the run made by hand.
const SUMMARY: &str = "~9.8 ms of 31 ms (32 %) could be saved, 10,001 of 20,214 calls wasted \
    (49 %): same-stat ~9.8 ms\n";

/// Written by hand.
#[test]
fn a_finding_takes_a_screenful() {
    let mut run = run();
    run.findings = vec![finding()];
    assert_text(
        &run.report(),
        &(SUMMARY.to_owned()
            + r#"
1. same-stat: `/etc/localtime` was looked at 10,002 times and never changed
   wasted   10,001 of 20,214 calls (49 %), by lister
   saves    ~9.8 ms of 31 ms (32 %); replayed: the same calls made again, untraced
   where    10,001  show_entry  /home/a/src/lister.c:42
   stack      __xstat64               libc.so.6
              ... 3 frames of libc.so.6
              localtime               libc.so.6
            > show_entry              /home/a/src/lister.c:42
              list                    /home/a/src/lister.c:77
              main                    /home/a/src/lister.c:101
              __libc_start_call_main  libc.so.6
              __libc_start_main       libc.so.6
              _start                  lister
   e.g.     newfstatat(AT_FDCWD, "/etc/localtime", ...) = 0  (2 times)
            newfstatat(AT_FDCWD, "</script><im...t(1)>\x1b[31m\xff;\n\u{202e}", ...) = -1 ENOENT
   instead  Set TZ in the environment, or call tzset() once and localtime_r() for each time.
                tzset();
                struct tm tm;
                localtime_r(&seconds, &tm);
   careful  a file that changes between the looks is being watched on purpose
"#),
    );
}

#[test]
fn a_clean_program_is_told_why() {
    let run = run();
    assert_text(
        &run.report(),
        "20,214 calls, nothing worth mending: no kind of waste reached 100 calls and 2 % of all\n",
    );
    assert_eq!(
        too_cheap(&finding(), &Thresholds::default()),
        "no remedy would save 0.5 ms of a run (nearest: same-stat with 10,001 calls)"
    );
}

#[test]
fn without_prices_findings_have_their_calls() {
    let mut run = run();
    run.findings = vec![finding(), finding(), finding()];
    run.findings[0].saved = None;
    run.findings[1].saved = None;
    run.findings[2].saved = None;
    run.findings[2].id = "reopen";
    let report = Report { untraced: Err("it was not started here"), ..run.report() };
    assert_eq!(
        report.summary(),
        "30,003 of 20,214 calls wasted (148 %): same-stat 20,002, reopen 10,001"
    );
    let text = report.text(&Palette::PLAIN);
    let last = "\nHow long the command takes untraced is not known: it was not started here.\n";
    assert!(text.ends_with(last), "{text}");
    assert!(text.contains("   saves    not known: it was not priced\n"), "{text}");
}

#[test]
fn an_estimate_of_a_run_is_marked_and_says_what_it_rests_on() {
    let mut run = run();
    let ms = std::time::Duration::from_millis;
    let basis = Timing::Estimated { watched: ms(300) };
    let untraced = Ok(Untraced { wall: ms(31), basis });
    assert!(!Report { untraced, ..run.report() }.text(&Palette::PLAIN).contains("estimate"));
    run.findings = vec![finding()];
    let report = Report { untraced, ..run.report() };
    let said = "~9.8 ms of ~31 ms (32 %) could be saved, ";
    assert!(report.summary().starts_with(said), "{}", report.summary());
    let text = report.text(&Palette::PLAIN);
    assert!(text.contains("   saves    ~9.8 ms of ~31 ms (32 %); replayed"), "{text}");
    let last = "\nThat a run takes ~31 ms is an estimate: it took 300 ms while it was watched, and \
        what watching\ncosts is taken off. --baseline measures it, by running the command once \
        more.\n";
    assert!(text.ends_with(last), "{text}");
}

#[test]
fn many_calls_that_cost_little_are_not_said_first() {
    let mut run = run();
    run.findings = vec![finding()];
    run.findings[0].saved = Some(Saved::exactly(620_000, Basis::Replayed));
    assert_eq!(
        run.report().summary(),
        "little to gain: ~620 us of 31 ms (2 %) could be saved, 10,001 of 20,214 calls wasted \
         (49 %): same-stat ~620 us"
    );
}

#[test]
fn long_examples_are_cut_so_that_they_differ() {
    let mut run = run();
    let mut finding = finding();
    finding.examples.clear();
    for (id, place) in [(20, "en_US.UTF-8"), (21, "en_US"), (22, "C")] {
        let path = format!(
            "/usr/share/locale/with/a/long/way/to/it/{place}/LC_MESSAGES/of/all/programs/prog.mo"
        );
        run.see(Event::Path { id: PathId(id), path: Text::from(path.as_str()) });
        let (path, file) = (PathId(id), PathId(id));
        let arguments = [(-100_i64).cast_unsigned(), 0, 0, 0, 0, 0];
        let (name, result) = (Name::Openat, -2);
        finding.examples.push(Call { name, path, file, arguments, result, ..Call::default() });
    }
    run.findings = vec![finding];
    let text = run.report().text(&Palette::PLAIN);
    for place in ["/it/en_US.UTF-8/", "/it/en_US/", "/it/C/"] {
        assert!(text.contains(&format!(r#" openat(AT_FDCWD, "/usr...{place}LC_"#)), "{text}");
    }
}

#[test]
fn what_was_not_seen_is_said() {
    let mut run = run();
    let text = "32-bit calls were not looked into\x1b[2J".to_owned();
    run.see(Event::Note(Note { id: "foreign".into(), process: 9, text }));
    run.see(Event::Ended { process: 9, at: 1, status: 11, processor: 0 });
    let expected = "\nThe command was ended by SIGSEGV (signal 11).\n\
                    Not seen: lister: 32-bit calls were not looked into\\x1b[2J.\n";
    let text = run.report().text(&Palette::PLAIN);
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn hostile_names_cannot_steer_a_terminal() {
    let mut run = run();
    let hostile = "`\u{202e}\x1b]0;x\x07\n\r` was looked at".to_owned() + &"y".repeat(5_000);
    let long = "<script>\x1b[31m".repeat(300);
    let path = Text::from(long.as_str());
    run.see(Event::Path { id: PathId(1), path: path.clone() });
    run.see(Event::Path { id: PathId(3), path });
    let location = crate::Location { function: long.clone(), file: long.clone(), line: 7 };
    run.see(Event::Locations { frame: FrameId(6), locations: vec![location] });
    let mut finding = finding();
    finding.verdict.clone_from(&hostile);
    finding.remedy.text.clone_from(&hostile);
    finding.remedy.snippet = format!("{long}\n").repeat(40);
    finding.careful = hostile;
    run.findings = vec![finding];
    let text = run.report().text(&Palette::PLAIN);
    assert!(text.chars().all(|c| c == '\n' || !fewer::present::controls_terminal(c)), "{text}");
    // The remedy is whole, however long it is; the rest keeps to its columns and lines.
    let (rest, remedy) = text.split_once("   instead  ").unwrap();
    assert!(rest.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(rest.lines().count() <= 20, "{text}");
    assert_eq!(remedy.matches("<script>").count(), 300 * 40, "{text}");
}

#[test]
fn colours_are_only_added() {
    let mut run = run();
    run.findings = vec![finding()];
    let plain = run.report().text(&Palette::PLAIN);
    let mut color = run.report().text(&Palette::COLOR);
    let own = "\x1b[1;32m> show_entry              /home/a/src/lister.c:42\x1b[0m\n";
    assert!(color.contains(own), "{color}");
    let Palette { strong, id, own, faint, code, reset } = Palette::COLOR;
    for escape in [strong, id, own, faint, code, reset] {
        color = color.replace(escape, "");
    }
    assert_eq!(color, plain);
}

#[test]
fn calls_from_many_places_are_added_up() {
    let mut run = run();
    let mut finding = finding();
    finding.callers.clear();
    // Six stacks of one frame each; 1 to 5 are functions of the C library.
    for frame in 6..=11 {
        let frames = vec![FrameId(frame)];
        run.see(Event::Stack { id: StackId(frame), frames, truncated: false });
        finding.callers.push((StackId(frame), 100 - u64::from(frame)));
    }
    finding.callers.push((StackId::NONE, 5));
    run.findings = vec![finding];
    let text = run.report().text(&Palette::PLAIN);
    let expected = "   where     94  show_entry  /home/a/src/lister.c:42
             93  list  /home/a/src/lister.c:77
             92  main  /home/a/src/lister.c:101
            270  in 3 more places
   stack    > show_entry  /home/a/src/lister.c:42
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_deep_stack_is_shortened() {
    let mut run = run();
    let frames = (0..500).map(|at| FrameId(if at == 250 { 6 } else { 1 + at % 5 })).collect();
    run.see(Event::Stack { id: StackId(1), frames, truncated: true });
    run.findings = vec![finding()];
    let text = run.report().text(&Palette::PLAIN);
    let expected = "   stack      __xstat64       libc.so.6
              ... 248 frames of libc.so.6
              localtime       libc.so.6
            > show_entry      /home/a/src/lister.c:42
              __tzfile_read   libc.so.6
";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains(" frames, and what could not be read\n"), "{text}");
}
