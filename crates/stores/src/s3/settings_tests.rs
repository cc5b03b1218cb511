use super::*;

fn settings(
    overrides: &Overrides,
    variables: &[(&str, &str)],
    config: &str,
) -> Result<Settings, Reason> {
    let variable = |name: &str| {
        variables.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned())
    };
    Settings::from(overrides, &variable, config, "")
}

fn by_variables(variables: &[(&str, &str)]) -> Settings {
    settings(&Overrides::default(), variables, "").unwrap()
}

#[test]
fn without_any_setting_amazon_is_reached_with_the_credentials_of_the_machine() {
    let settings = by_variables(&[]);
    assert_eq!(settings.address("logs", "us-east-1"), "https://logs.s3.us-east-1.amazonaws.com");
    assert_eq!(
        settings.address("my.logs", "us-east-1"),
        "https://s3.us-east-1.amazonaws.com/my.logs"
    );
    assert_eq!(settings.credentials, Credentials::Elsewhere);
}

#[test]
fn a_server_of_ones_own_has_the_bucket_in_the_path_unless_told_otherwise() {
    let endpoint = ("AWS_ENDPOINT_URL", "http://127.0.0.1:9000/");
    assert_eq!(by_variables(&[endpoint]).address("b", "us-east-1"), "http://127.0.0.1:9000/b");
    let hosted = by_variables(&[endpoint, ("AWS_VIRTUAL_HOSTED_STYLE_REQUEST", "true")]);
    assert_eq!(hosted.address("b", "us-east-1"), "http://b.127.0.0.1:9000");
}

#[test]
fn flags_win_over_the_environment_and_that_over_the_profile() {
    let config = "[profile p]\nregion=of-profile\nendpoint_url=http://profile\n";
    let profile = ("AWS_PROFILE", "p");
    let none = Overrides::default();
    let by_profile = settings(&none, &[profile], config).unwrap();
    assert_eq!(by_profile.region, "of-profile");
    let by_variable = settings(&none, &[profile, ("AWS_REGION", "of-env")], config).unwrap();
    assert_eq!(by_variable.region, "of-env");
    let flags = Overrides { region: Some("of-flag".into()), ..none };
    let by_flag = settings(&flags, &[profile, ("AWS_REGION", "of-env")], config).unwrap();
    assert_eq!(by_flag.region, "of-flag");
    assert_eq!(by_flag.endpoint.as_deref(), Some("http://profile"));
}

#[test]
fn keys_of_the_environment_win_unless_a_flag_names_a_profile() {
    let config = "[default]\naws_access_key_id=P\naws_secret_access_key=p\n";
    let variables = [("AWS_ACCESS_KEY_ID", "E"), ("AWS_SECRET_ACCESS_KEY", "e")];
    let id = |overrides: &Overrides, variables: &[(&str, &str)]| match settings(
        overrides, variables, config,
    )
    .unwrap()
    .credentials
    {
        Credentials::Keys(keys) => keys.id,
        other => panic!("{other:?}"),
    };
    assert_eq!(id(&Overrides::default(), &variables), "E");
    assert_eq!(id(&Overrides::default(), &[]), "P");
    let flag = Overrides { profile: Some("default".into()), ..Overrides::default() };
    assert_eq!(id(&flag, &variables), "P");
}

#[test]
fn what_cannot_be_meant_is_refused_with_the_setting() {
    for (variables, word) in [
        (&[("AWS_PROFILE", "nobody")][..], "no profile 'nobody'"),
        (&[("AWS_ACCESS_KEY_ID", "A")], "AWS_SECRET_ACCESS_KEY is not"),
        (&[("AWS_ENDPOINT_URL", "127.0.0.1:9000")], "endpoint '127.0.0.1:9000'"),
        (&[("AWS_ENDPOINT_URL", "ftp://x")], "endpoint 'ftp://x'"),
        (&[("AWS_ENDPOINT_URL", "http://x:99999")], "endpoint 'http://x:99999'"),
        (&[("AWS_ENDPOINT_URL", "http://x?y")], "endpoint 'http://x?y'"),
        (&[("AWS_REGION", "eu\nwest")], "no name of a region"),
        (&[("AWS_ACCESS_KEY_ID", "A\n"), ("AWS_SECRET_ACCESS_KEY", "s")], "a key or token"),
        (&[("AWS_SKIP_SIGNATURE", "perhaps")], "AWS_SKIP_SIGNATURE is 'perhaps'"),
    ] {
        let Reason::Setting(why) = settings(&Overrides::default(), variables, "").unwrap_err()
        else {
            panic!("{word}")
        };
        assert!(why.contains(word), "{why}");
    }
    let config = "[default]\nsso_session = x\n";
    let error = settings(&Overrides::default(), &[], config).unwrap_err().to_string();
    assert!(error.contains("sso_session"), "{error}");
}

#[test]
fn secrets_are_not_shown() {
    let keys = [("AWS_ACCESS_KEY_ID", "E"), ("AWS_SECRET_ACCESS_KEY", "hidden")];
    assert!(!format!("{:?}", by_variables(&keys)).contains("hidden"));
}
