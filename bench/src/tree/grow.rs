//! How the directories of a tree branch. Everything stops as soon as the plan is full.

use super::names::{Names, Style};
use super::plan::{DirectoryKind, Plan};
use super::random::Random;

/// Below this many levels of its project or package no directory of code branches any more.
const LEVELS_MOST: u32 = 16;

/// A node_modules within this many others brings no further one.
const NESTED_MOST: u32 = 6;

/// Grows a /usr with a twelfth of the directories, then projects until the plan is full.
pub(crate) fn directories(plan: &mut Plan, random: &mut Random) {
    let limit = plan.shape.directories;
    if let Some(usr) = plan.add(0, "usr".into(), DirectoryKind::Bare) {
        grow_usr(plan, random, usr, limit / 12);
    }
    let Some(src) = plan.add(0, "src".into(), DirectoryKind::Bare) else { return };
    let mut names = Names::new();
    loop {
        let name = names.draw(random, Style::Word);
        let Some(project) = plan.add(src, name, DirectoryKind::Code) else { return };
        grow_project(plan, random, project);
    }
}

fn grow_usr(plan: &mut Plan, random: &mut Random, usr: u32, about: u32) {
    for name in ["bin", "lib", "cache"] {
        plan.add(usr, name.into(), DirectoryKind::Flat);
    }
    let Some(share) = plan.add(usr, "share".into(), DirectoryKind::Code) else { return };
    for name in ["info", "icons", "mime", "zoneinfo"] {
        plan.add(share, name.into(), DirectoryKind::Flat);
    }
    if let Some(doc) = plan.add(share, "doc".into(), DirectoryKind::Bare) {
        many(plan, random, doc, about / 3, DirectoryKind::Notes);
    }
    if let Some(locale) = plan.add(share, "locale".into(), DirectoryKind::Bare) {
        for language in many(plan, random, locale, about / 12, DirectoryKind::Bare) {
            plan.add(language, "LC_MESSAGES".into(), DirectoryKind::Notes);
        }
    }
    let Some(include) = plan.add(usr, "include".into(), DirectoryKind::Code) else { return };
    for library in many(plan, random, include, about / 12, DirectoryKind::Code) {
        grow_code(plan, random, library, 2);
    }
}

/// A checkout: history, source, and in two of five a node_modules.
fn grow_project(plan: &mut Plan, random: &mut Random, project: u32) {
    if !random.once_in(3) {
        grow_git(plan, random, project);
    }
    let mut names = Names::new();
    names.reserve(".git");
    names.reserve("node_modules");
    for _ in 0..random.between(2, 9) {
        let name = names.draw(random, Style::Word);
        let Some(part) = plan.add(project, name, DirectoryKind::Code) else { return };
        let start = if random.once_in(5) { grow_chain(plan, random, part, 5) } else { part };
        grow_code(plan, random, start, 0);
    }
    if random.below(5) < 2 {
        let packages = random.between(10, 300);
        grow_modules(plan, random, project, 0, packages);
    }
}

fn grow_git(plan: &mut Plan, random: &mut Random, project: u32) {
    let Some(git) = plan.add(project, ".git".into(), DirectoryKind::Notes) else { return };
    for name in ["hooks", "info", "logs"] {
        plan.add(git, name.into(), DirectoryKind::Notes);
    }
    let Some(objects) = plan.add(git, "objects".into(), DirectoryKind::Bare) else { return };
    // All 256 in a big tree; none where they would be most of the tree.
    for number in 0..(plan.shape.directories / 500).min(256) {
        if !random.once_in(8) {
            plan.add(objects, format!("{number:02x}"), DirectoryKind::Hashes);
        }
    }
}

/// `src/main/java/org/…`: directories with one directory each.
fn grow_chain(plan: &mut Plan, random: &mut Random, from: u32, length: u32) -> u32 {
    let mut last = from;
    for _ in 0..random.between(2, length * 2) {
        let name = Names::new().draw(random, Style::Word);
        let Some(next) = plan.add(last, name, DirectoryKind::Bare) else { return last };
        last = next;
    }
    last
}

/// Branches below `parent`, `level` levels under the top of its project or package. The mean number
/// of branches is above 1 near the top and below 1 further down, so that it ends by itself.
fn grow_code(plan: &mut Plan, random: &mut Random, parent: u32, level: u32) {
    let leaves = if level < 3 { 50 } else { 72 };
    let branches = match random.below(100) {
        at if at < leaves => 0,
        0..=82 => random.between(1, 2),
        83..=93 => random.between(2, 4),
        94..=97 => random.between(5, 9),
        _ => random.between(10, 60),
    };
    for child in many(plan, random, parent, branches, DirectoryKind::Code) {
        // The wide ones are fixtures and locales: leaves.
        if branches < 10 && level < LEVELS_MOST {
            grow_code(plan, random, child, level + 1);
        }
    }
}

/// A node_modules with about `packages` packages, some of which bring a node_modules of their own.
fn grow_modules(plan: &mut Plan, random: &mut Random, owner: u32, nested: u32, packages: u32) {
    let Some(modules) = plan.add(owner, "node_modules".into(), DirectoryKind::Bare) else { return };
    let mut names = Names::new();
    for _ in 0..packages {
        let style = if random.once_in(9) { Style::Scope } else { Style::Word };
        let name = names.draw(random, style);
        let kind = if style == Style::Scope { DirectoryKind::Bare } else { DirectoryKind::Code };
        let Some(first) = plan.add(modules, name, kind) else { return };
        if style == Style::Scope {
            let below = random.between(1, if nested == 0 { 12 } else { 3 });
            for package in many(plan, random, first, below, DirectoryKind::Code) {
                grow_package(plan, random, package, nested);
            }
        } else {
            grow_package(plan, random, first, nested);
        }
    }
}

fn grow_package(plan: &mut Plan, random: &mut Random, package: u32, nested: u32) {
    for name in ["lib", "dist", "test"] {
        if random.once_in(3) {
            let Some(part) = plan.add(package, name.into(), DirectoryKind::Code) else { return };
            grow_code(plan, random, part, 1);
        }
    }
    if nested < NESTED_MOST && random.once_in(11) {
        let packages = random.between(1, 6);
        grow_modules(plan, random, package, nested + 1, packages);
    }
}

/// Adds `count` directories with drawn names below `parent`; fewer if the plan is full.
fn many(
    plan: &mut Plan,
    random: &mut Random,
    parent: u32,
    count: u32,
    kind: DirectoryKind,
) -> Vec<u32> {
    let mut names = Names::new();
    (0..count).map_while(|_| plan.add(parent, names.draw(random, Style::Word), kind)).collect()
}
