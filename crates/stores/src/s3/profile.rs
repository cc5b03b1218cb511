//! A profile of the AWS command line: sections of its two files.
//!
//! Source: the AWS CLI user guide, configuration and credential file settings.

use std::collections::BTreeMap;

/// The settings of one profile by their names, which are in lower case.
pub(crate) type Profile = BTreeMap<String, String>;

/// The settings of a profile in the text of `~/.aws/config`, in which a section is called `[profile
/// NAME]`, and in that of `~/.aws/credentials`, in which it is called `[NAME]`; the latter wins.
/// `None` if neither has the profile.
pub(crate) fn find(name: &str, config: &str, credentials: &str) -> Option<Profile> {
    let in_config = if name == "default" { vec!["default", "profile default"] } else { vec![] };
    let full = format!("profile {name}");
    let in_config = in_config.into_iter().chain([&*full]).collect::<Vec<_>>();
    let found = section(config, &in_config);
    match (found, section(credentials, &[name])) {
        (None, None) => None,
        (config, credentials) => {
            let mut profile = config.unwrap_or_default();
            profile.extend(credentials.unwrap_or_default());
            Some(profile)
        }
    }
}

/// The lines of sections with one of these names. Nested settings are indented, and left out.
fn section(text: &str, names: &[&str]) -> Option<Profile> {
    let mut found: Option<Profile> = None;
    let mut is_inside = false;
    for line in text.lines() {
        if line.trim().is_empty() || line.trim_start().starts_with(['#', ';']) {
            continue;
        }
        if let Some(header) = line.trim().strip_prefix('[') {
            let header = header.split(']').next().unwrap_or_default();
            let words: Vec<&str> = header.split_whitespace().collect();
            is_inside = names.contains(&&*words.join(" "));
            if is_inside {
                found.get_or_insert_default();
            }
        } else if let (true, false, Some((name, value))) =
            (is_inside, line.starts_with([' ', '\t']), line.split_once('='))
        {
            let value = value.split(" #").next().unwrap_or_default();
            let profile = found.get_or_insert_default();
            profile.insert(name.trim().to_lowercase(), value.trim().to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "# of a person\n[default]\nregion = us-west-2\n\n[profile work]\n\
        region=eu-central-1 # near\ns3 =\n  addressing_style = path\nENDPOINT_URL = http://x:1\n";
    const CREDENTIALS: &str = "[default]\naws_access_key_id = A\naws_secret_access_key = a=b\n\
        [work]\naws_access_key_id=W\n; end\naws_secret_access_key=w\nregion = eu-west-1\n";

    fn value(name: &str, key: &str) -> Option<String> {
        find(name, CONFIG, CREDENTIALS).unwrap().get(key).cloned()
    }

    #[test]
    fn a_profile_is_made_of_both_files() {
        assert_eq!(value("default", "region").as_deref(), Some("us-west-2"));
        assert_eq!(value("default", "aws_secret_access_key").as_deref(), Some("a=b"));
        assert_eq!(value("work", "endpoint_url").as_deref(), Some("http://x:1"));
        assert_eq!(value("work", "region").as_deref(), Some("eu-west-1"));
        assert_eq!(value("work", "addressing_style"), None);
    }

    #[test]
    fn a_profile_that_is_in_neither_file_is_none() {
        assert_eq!(find("home", CONFIG, CREDENTIALS), None);
        assert_eq!(find("profile work", CONFIG, CREDENTIALS), None);
        assert_eq!(find("default", "", ""), None);
        assert_eq!(find("empty", "[profile empty]\n", ""), Some(Profile::new()));
    }
}
