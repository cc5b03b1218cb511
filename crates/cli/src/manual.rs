//! The manual page and completions, from the table of flags.

use clap::ArgMatches;
use clap_complete::Shell;

use crate::{flags, report};

/// Prints completions for a shell.
pub(crate) fn completions(matches: &ArgMatches) -> u8 {
    let Some(shell) = matches.get_one::<Shell>("shell") else { return report::FAILED };
    let mut script = Vec::new();
    clap_complete::generate(*shell, &mut flags::fewer(), "fewer", &mut script);
    report::print(&script)
}

/// Prints the manual page: the command, then each verb.
pub(crate) fn man() -> u8 {
    let mut command = flags::fewer();
    command.build();
    let mut page = Vec::new();
    let mut rendered = clap_mangen::Man::new(command.clone()).render(&mut page);
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        let page_of_verb = clap_mangen::Man::new(verb.clone());
        rendered = rendered
            .and_then(|()| page_of_verb.render_synopsis_section(&mut page))
            .and_then(|()| page_of_verb.render_description_section(&mut page))
            .and_then(|()| page_of_verb.render_options_section(&mut page));
    }
    match rendered {
        Ok(()) => report::print(&page),
        Err(error) => report::fail(&error.to_string()),
    }
}
