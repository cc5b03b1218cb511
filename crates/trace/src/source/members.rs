//! Which processes a container, a systemd unit or a list of numbers means.

use std::ffi::OsStr;

use super::ptrace::Pid;
use super::{Target, failure, proc};
use crate::Error;

/// What the processes of a target have in common.
#[derive(Debug)]
enum Trait {
    /// They are named one by one.
    Number(Pid),
    /// A pid namespace: the text of the link in /proc.
    Namespace(Vec<u8>),
    /// A control group: a name on its path, or the beginning of an identifier.
    Group { name: String, is_unit: bool },
}

/// All processes that are watched together.
#[derive(Debug)]
pub(crate) struct Members {
    traits: Vec<Trait>,
    own: Pid,
}

impl Members {
    /// Of these targets, and the processes that there are now.
    ///
    /// # Errors
    /// A target has no processes, or is the namespace that this process is in.
    pub(crate) fn new(targets: &[Target]) -> Result<(Members, Vec<Pid>), Error> {
        let mut members = Members { traits: Vec::new(), own: std::process::id().cast_signed() };
        let mut now = Vec::new();
        for target in targets {
            let one = of_target(target)?;
            let found = match one {
                Trait::Number(number) => vec![number],
                _ => members.of(&one, &proc::all()),
            };
            if found.is_empty() {
                return Err(missing(target, &one));
            }
            now.extend(found);
            members.traits.push(one);
        }
        now.sort_unstable();
        now.dedup();
        Ok((members, now))
    }

    /// Whether there may be others later which nobody who is watched has made.
    pub(crate) fn may_grow(&self) -> bool {
        self.traits.iter().any(|one| !matches!(one, Trait::Number(_)))
    }

    /// The processes that there are by now, without those that are named one by one.
    pub(crate) fn now(&self) -> Vec<Pid> {
        let all = proc::all();
        self.traits.iter().flat_map(|one| self.of(one, &all)).collect()
    }

    fn of(&self, one: &Trait, all: &[Pid]) -> Vec<Pid> {
        let is_member = |process: &Pid| match one {
            Trait::Number(_) => false,
            Trait::Namespace(namespace) => {
                proc::pid_namespace(*process).as_ref() == Some(namespace)
            }
            Trait::Group { name, is_unit } => {
                let groups = proc::control_groups(*process);
                groups.lines().any(|line| is_in(line, name, *is_unit))
            }
        };
        all.iter().copied().filter(|it| *it != self.own && is_member(it)).collect()
    }
}

/// What the processes have in common.
fn of_target(target: &Target) -> Result<Trait, Error> {
    let number = |text: &str| text.parse::<Pid>().ok().filter(|number| *number > 0);
    match target {
        Target::Process(number) => {
            let name = number.to_string();
            let number = Pid::try_from(*number)
                .map_err(|_| failure(libc::ESRCH, "trace process", OsStr::new(&name)))?;
            Ok(Trait::Number(number))
        }
        Target::Container(name) => match number(name) {
            Some(first) => namespace(first, name),
            None => Ok(group(name, false)),
        },
        Target::Unit(name) => Ok(group(name, true)),
    }
}

/// The pid namespace of a process.
fn namespace(first: Pid, name: &str) -> Result<Trait, Error> {
    let namespace = proc::pid_namespace(first).ok_or_else(|| no_namespace(name, UNREADABLE))?;
    // All processes of the machine would be watched, and this one with them.
    if Some(&namespace) == proc::pid_namespace(std::process::id().cast_signed()).as_ref() {
        return Err(no_namespace(name, "its pid namespace is the one that fewer itself is in"));
    }
    Ok(Trait::Namespace(namespace))
}

/// Why a process has no pid namespace.
const UNREADABLE: &str = "in /proc it has no pid namespace that can be read";

fn no_namespace(name: &str, why: &'static str) -> Error {
    Error::Missing { kind: "container of process", name: name.as_bytes().into(), why }
}

/// What was looked for, and where, if there is no process.
fn missing(target: &Target, one: &Trait) -> Error {
    let Trait::Group { name, is_unit } = one else {
        return no_namespace(&target.to_string(), UNREADABLE);
    };
    let (kind, why) = match is_unit {
        true => ("running systemd unit", "no process in /proc has a control group with that name"),
        false => (
            "running container",
            "no process in /proc has a control group with that name, or with an identifier that \
             begins so (docker's own names are not in /proc; the number of one of its processes \
             will do)",
        ),
    };
    Error::Missing { kind, name: name.as_bytes().into(), why }
}

fn group(name: &str, is_unit: bool) -> Trait {
    const UNITS: [&str; 3] = [".service", ".scope", ".slice"];
    let is_whole = !is_unit || UNITS.iter().any(|ending| name.ends_with(ending));
    Trait::Group { name: if is_whole { name.into() } else { format!("{name}.service") }, is_unit }
}

/// Whether a line of /proc/PID/cgroup (`0::/system.slice/nginx.service`) is about the control group
/// of a unit with this name, or one below; or of a container with this name, or with an identifier
/// that begins so.
fn is_in(line: &str, name: &str, is_unit: bool) -> bool {
    let path = line.splitn(3, ':').nth(2).unwrap_or_default();
    path.split('/').any(|part| match is_unit {
        true => part == name,
        false => container(part).is_some_and(|id| is_meant(id, name)),
    })
}

/// How the managers of containers name a control group: before and behind the identifier.
const MANAGERS: [(&str, &str); 6] = [
    ("docker-", ".scope"),
    ("libpod-", ".scope"),
    ("cri-containerd-", ".scope"),
    ("crio-", ".scope"),
    ("lxc.payload.", ""),
    ("machine-", ".scope"),
];

/// The container's name or identifier, from the name of its control group.
fn container(part: &str) -> Option<&str> {
    let managed = MANAGERS
        .iter()
        .find_map(|(before, behind)| part.strip_prefix(before)?.strip_suffix(behind));
    managed.or_else(|| (part.len() >= 12).then_some(part).filter(|part| is_identifier(part)))
}

fn is_identifier(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A name is meant as it is; the beginning of a long identifier is enough, as their managers have
/// it.
fn is_meant(id: &str, name: &str) -> bool {
    const ENOUGH: usize = 4;
    id == name || (name.len() >= ENOUGH && is_identifier(id) && id.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "4f5e1c0b8a9d4f5e1c0b8a9d4f5e1c0b8a9d4f5e1c0b8a9d4f5e1c0b8a9d1234";

    #[test]
    fn a_unit_is_its_control_group_and_what_is_below() {
        for (line, expected) in [
            ("0::/system.slice/nginx.service", true),
            ("1:name=systemd:/system.slice/nginx.service/worker", true),
            ("0::/system.slice/nginx.service.d", false),
            ("0::/system.slice/xnginx.service", false),
            ("4:memory:/", false),
            ("", false),
        ] {
            assert_eq!(is_in(line, "nginx.service", true), expected, "{line}");
        }
    }

    #[test]
    fn a_unit_need_not_say_that_it_is_a_service() {
        for (given, expected) in
            [("nginx", "nginx.service"), ("a@b.service", "a@b.service"), ("x.slice", "x.slice")]
        {
            assert!(matches!(group(given, true), Trait::Group { name, .. } if name == expected));
        }
    }

    #[test]
    fn a_container_is_known_by_the_beginning_of_its_identifier() {
        for path in [
            format!("0::/system.slice/docker-{ID}.scope"),
            format!("12:pids:/docker/{ID}"),
            format!("0::/machine.slice/libpod-{ID}.scope/container"),
            format!("0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-{ID}.scope"),
            format!("0::/kubepods/besteffort/pod1/{ID}"),
        ] {
            for name in [ID, &ID[..12], &ID[..4]] {
                assert!(is_in(&path, name, false), "{path} {name}");
            }
            for name in [&ID[..3], &ID[1..], "web", ""] {
                assert!(!is_in(&path, name, false), "{path} {name}");
            }
        }
        assert!(is_in("0::/lxc.payload.web/init.scope", "web", false));
        assert!(!is_in("0::/lxc.payload.webmail/init.scope", "web", false));
    }
}
