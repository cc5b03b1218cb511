//! Links between pages lead somewhere: to a file of the repository, and to a heading in it. The
//! pages of `docs` are a site as well, so they link to each other only, and its table of contents
//! names each of them once.

use std::collections::BTreeSet;

use super::{File, Finding, Tree};

/// The folder of the site, and its table of contents.
const SITE: &str = "docs/";
const CONTENTS: &str = "docs/SUMMARY.md";

pub(crate) fn targets(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in pages(tree) {
        for (line, target) in links(&file.text) {
            if let Err(why) = check(tree, file, &target) {
                findings.push(Finding::new(&file.name, line, format!("{why}: {target}")));
            }
        }
    }
    Ok(findings)
}

pub(crate) fn contents(tree: &Tree) -> Result<Vec<Finding>, String> {
    let Some(contents) = pages(tree).find(|file| file.name == CONTENTS) else {
        return Ok(Vec::new());
    };
    let mut named = BTreeSet::new();
    let mut findings = Vec::new();
    for (line, target) in links(&contents.text) {
        let page = format!("{SITE}{target}");
        // mdBook refuses the whole site then.
        if !named.insert(page.clone()) {
            findings.push(Finding::new(CONTENTS, line, format!("names {page} twice")));
        }
    }
    let is_missing = |file: &&File| {
        file.name.starts_with(SITE) && file.name != CONTENTS && !named.contains(&file.name)
    };
    let missing = pages(tree).filter(is_missing);
    findings
        .extend(missing.map(|file| Finding::new(&file.name, 1, format!("{CONTENTS} lacks it"))));
    Ok(findings)
}

fn pages(tree: &Tree) -> impl Iterator<Item = &File> {
    tree.files.iter().filter(|file| file.name.ends_with(".md"))
}

fn check(tree: &Tree, file: &File, target: &str) -> Result<(), &'static str> {
    if target.contains("://") || target.starts_with("mailto:") {
        return Ok(());
    }
    let (path, heading) = target.split_once('#').unwrap_or((target, ""));
    let name = match path {
        "" => file.name.clone(),
        path => beside(&file.name, path).ok_or("leads out of the repository")?,
    };
    if file.name.starts_with(SITE) && !name.starts_with(SITE) {
        return Err("leads out of the site: name it as code");
    }
    let Some(page) = tree.files.iter().find(|file| file.name == name) else {
        // A folder, or a file that is not text.
        return if tree.root.join(&name).exists() { Ok(()) } else { Err("no such file") };
    };
    let found = heading.is_empty() || headings(&page.text).any(|known| known == heading);
    if found { Ok(()) } else { Err("no such heading") }
}

/// A path relative to the folder of a file, as a path of the repository.
fn beside(file: &str, path: &str) -> Option<String> {
    let mut names: Vec<&str> = file.split('/').collect();
    names.pop();
    for name in path.split('/').filter(|name| !matches!(*name, "" | ".")) {
        if name == ".." {
            names.pop()?;
        } else {
            names.push(name);
        }
    }
    Some(names.join("/"))
}

/// The lines that are not in a block of code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut code = false;
    text.lines().enumerate().filter_map(move |(at, line)| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        (!code && !fence).then_some((at + 1, line))
    })
}

/// Where links lead, with the lines that they stand in.
fn links(text: &str) -> impl Iterator<Item = (usize, String)> {
    prose(text).flat_map(|(number, line)| {
        // Code may have brackets of its own.
        let plain: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        let targets = plain.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        targets.map(|target| (number, target.to_owned())).collect::<Vec<_>>()
    })
}

/// The names that headings have in links.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let heading = |(_, line): (usize, &str)| {
        let title = line.trim_start_matches('#');
        (title.len() < line.len()).then(|| {
            let title = title.trim().to_lowercase().replace(' ', "-");
            title.chars().filter(|&sign| sign.is_alphanumeric() || "-_".contains(sign)).collect()
        })
    };
    prose(text).filter_map(heading)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)], rule: super::super::Rule) -> Vec<String> {
        let files = files.iter().map(|(name, text)| File::new(name, (*text).to_owned())).collect();
        let tree = Tree { root: "/proc/nonexistent".into(), files };
        rule(&tree).unwrap().into_iter().map(|finding| finding.why).collect()
    }

    #[test]
    fn a_link_leads_to_a_file_and_a_heading() {
        let there = ("docs/b.md", "# What `b` is: all of it\n");
        for (text, why) in [
            ("[b](b.md) and [c](https://c/d)", ""),
            ("[b](b.md#what-b-is-all-of-it)", ""),
            ("`[b](c.md)`\n```\n[b](c.md)\n```\n", ""),
            ("# One\n[it](#one)", ""),
            ("[c](c.md)", "no such file: c.md"),
            ("[b](b.md#what)", "no such heading: b.md#what"),
            ("[x](../x.md)", "leads out of the site: name it as code: ../x.md"),
            ("[x](../../x.md)", "leads out of the repository: ../../x.md"),
        ] {
            let found = found(&[("docs/a.md", text), there, ("x.md", "")], targets);
            assert_eq!(found.join(", "), why, "{text}");
        }
    }

    #[test]
    fn the_table_of_contents_names_each_page_once() {
        let pages = [("docs/SUMMARY.md", "- [a](a.md)"), ("docs/a.md", ""), ("docs/b.md", "")];
        assert_eq!(found(&pages, contents), ["docs/SUMMARY.md lacks it"]);
        assert!(found(&pages[..2], contents).is_empty());
        let twice = [("docs/SUMMARY.md", "[a](a.md)\n\n[A](a.md)"), pages[1]];
        assert_eq!(found(&twice, contents), ["names docs/a.md twice"]);
    }
}
