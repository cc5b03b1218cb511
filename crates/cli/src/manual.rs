//! The manual page, from the table of flags.

use clap::error::ErrorKind;
use clap::{ArgMatches, Command};
use clap_mangen::Man;

use crate::{flags, report};

/// Prints the manual page: the command, and then a section for each verb; or that of one verb.
pub(crate) fn man(matches: &ArgMatches) -> u8 {
    let mut command = flags::fewer();
    command.build();
    let verb = matches.get_one::<String>("verb");
    let Some(about) = verb.map_or(Some(&command), |name| command.find_subcommand(name)) else {
        let name = verb.map_or("", String::as_str);
        return report::parser(&command.error(
            ErrorKind::InvalidSubcommand,
            format!("there is no verb '{name}': fewer help lists them"),
        ));
    };
    match page(about) {
        Ok(page) => report::print(page.as_bytes()),
        Err(error) => report::fail(&error),
    }
}

/// The page of a command, with a section for each verb below it, and for the verbs below these.
fn page(command: &Command) -> std::io::Result<String> {
    let mut page = section(|page| Man::new(command.clone()).render(page))?;
    for verb in verbs(command) {
        page.push_str(&chapter(verb)?);
        for below in verbs(verb) {
            page.push_str(&chapter(below)?);
        }
    }
    // The text behind the options.
    let extra = match examples(command.get_name()).is_empty() {
        true => "EXIT STATUS",
        false => "EXAMPLES AND EXIT STATUS",
    };
    Ok(page.replace(".SH EXTRA", &format!(".SH \"{extra}\"")))
}

fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|verb| verb.get_name() != "help")
}

fn chapter(verb: &Command) -> std::io::Result<String> {
    let man = Man::new(verb.clone());
    let text = section(|page| {
        man.render_synopsis_section(page)?;
        man.render_description_section(page)?;
        man.render_options_section(page)
    })?;
    let name = verb.get_bin_name().unwrap_or(verb.get_name()).to_uppercase();
    let text = text.replace(".SH ", ".SS ");
    Ok(format!(".SH \"{name}\"\n{text}{}", examples(verb.get_name())))
}

/// The examples of a verb, laid out as they are.
fn examples(verb: &str) -> String {
    let rows = flags::examples::of(verb).iter().map(|(line, what)| {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        format!(".TP\n\\fB{line}\\fR\n{what}\n")
    });
    let rows: String = rows.collect();
    if rows.is_empty() { rows } else { format!(".SS EXAMPLES\n{rows}") }
}

fn section(render: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> std::io::Result<String> {
    let mut page = Vec::new();
    render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
