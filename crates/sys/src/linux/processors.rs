//! How many processors this process may use.

use rustix::thread::sched_getaffinity;

use crate::counter::Call;
use crate::unix::{CWD, read_all, retry};

/// How many processors this process may use: its affinity mask, and less if its control group
/// has a smaller quota of processor time. At least 1.
///
/// Price: one `sched_getaffinity`, and open, read and close of /proc/self/cgroup and of one quota
/// file per level of the group.
#[doc(alias = "sched_getaffinity")]
#[must_use]
pub fn processors() -> usize {
    let allowed = retry(Call::SchedGetaffinity, || sched_getaffinity(None))
        .map_or(1, |mask| mask.count() as usize);
    quota().map_or(allowed, |quota| quota.min(allowed)).max(1)
}

/// The smallest whole number of processors that the control group and its parents grant.
fn quota() -> Option<usize> {
    let groups = read_all(CWD, c"/proc/self/cgroup", 1 << 20).ok()?;
    let (v2, group) = groups.split(|&b| b == b'\n').find_map(cpu_group)?;
    let mut least: Option<usize> = None;
    let mut group = group;
    loop {
        let here = if v2 { quota_v2(group) } else { quota_v1(group) };
        least = [least, here].into_iter().flatten().min();
        match group.iter().rposition(|&b| b == b'/') {
            Some(cut) if group.len() > 1 => group = &group[..cut.max(1)],
            _ => return least,
        }
    }
}

/// The path in a line `id:controllers:path`, if this is the group that limits processors.
fn cpu_group(line: &[u8]) -> Option<(bool, &[u8])> {
    let mut fields = line.splitn(3, |&b| b == b':');
    let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
    if controllers.split(|&b| b == b',').any(|name| name == b"cpu") {
        return Some((false, path));
    }
    (controllers.is_empty() && line.starts_with(b"0:")).then_some((true, path))
}

fn quota_v2(group: &[u8]) -> Option<usize> {
    let text = cgroup_file(b"/sys/fs/cgroup", group, b"/cpu.max")?;
    let (quota, period) = text.trim().split_once(' ')?;
    whole_processors(quota, period)
}

fn quota_v1(group: &[u8]) -> Option<usize> {
    let read = |file: &[u8]| cgroup_file(b"/sys/fs/cgroup/cpu", group, file);
    let quota = read(b"/cpu.cfs_quota_us")?;
    if quota.starts_with('-') {
        return None;
    }
    whole_processors(&quota, &read(b"/cpu.cfs_period_us")?)
}

fn cgroup_file(mount: &[u8], group: &[u8], file: &[u8]) -> Option<String> {
    let path = std::ffi::CString::new([mount, group, file].concat()).ok()?;
    String::from_utf8(read_all(CWD, &path, 4096).ok()?).ok()
}

fn whole_processors(quota: &str, period: &str) -> Option<usize> {
    let quota: usize = quota.trim().parse().ok()?;
    quota.checked_div(period.trim().parse().ok()?).map(|whole| whole.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_that_rules_the_processors_is_found() {
        assert_eq!(cpu_group(b"0::/user.slice"), Some((true, &b"/user.slice"[..])));
        assert_eq!(cpu_group(b"4:cpu,cpuacct:/x"), Some((false, &b"/x"[..])));
        assert_eq!(cpu_group(b"4:cpuset:/x"), None);
        assert_eq!(cpu_group(b""), None);
    }

    #[test]
    fn a_quota_is_rounded_down_but_never_to_none() {
        assert_eq!(whole_processors("250000", "100000"), Some(2));
        assert_eq!(whole_processors("50000", "100000\n"), Some(1));
        assert_eq!(whole_processors("max", "100000"), None);
        assert_eq!(whole_processors("1", "0"), None);
    }

    #[test]
    fn there_is_at_least_one_processor() {
        assert!(processors() >= 1);
    }
}
