use super::*;

fn settings(
    address: &str,
    endpoint: Option<&str>,
    variables: &[(&str, &str)],
) -> Result<Settings, Reason> {
    let variable = |name: &str| {
        variables.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned())
    };
    let overrides = Overrides { endpoint: endpoint.map(str::to_owned), ..Overrides::default() };
    Settings::from(&Location::parse(address).unwrap(), &overrides, &variable)
}

/// Where a container is, and the account.
fn server(address: &str, endpoint: Option<&str>, variables: &[(&str, &str)]) -> (String, String) {
    let settings = settings(address, endpoint, variables).unwrap();
    (settings.server, settings.account)
}

const LOGS: (&str, &str) = ("AZURE_STORAGE_ACCOUNT_NAME", "logs");

#[test]
fn an_account_is_named_by_the_environment_or_the_address() {
    let at_azure = ("https://logs.blob.core.windows.net".to_owned(), "logs".to_owned());
    assert_eq!(server("az://c", None, &[LOGS]), at_azure);
    assert_eq!(server("az://c", None, &[("AZURE_STORAGE_ACCOUNT", "logs")]), at_azure);
    let other = [("AZURE_STORAGE_ACCOUNT_NAME", "other")];
    assert_eq!(server("abfss://c@logs.dfs.core.windows.net/p", None, &other), at_azure);
    assert_eq!(
        server("abfs://c@logs.blob.core.usgovcloudapi.net/p", None, &other),
        ("https://logs.blob.core.usgovcloudapi.net".to_owned(), "logs".to_owned())
    );
    let error = settings("az://c", None, &[]).unwrap_err().to_string();
    assert!(error.contains("AZURE_STORAGE_ACCOUNT_NAME"), "{error}");
    let wrong = settings("az://c", None, &[("AZURE_STORAGE_ACCOUNT", "a@b/")]).unwrap_err();
    assert!(wrong.to_string().contains("'a@b/'"), "{wrong}");
}

#[test]
fn azurite_is_known_with_its_account_and_key() {
    let azurite = "http://127.0.0.1:10000/devstoreaccount1";
    for endpoint in ["http://127.0.0.1:10000", "http://127.0.0.1:10000/", azurite] {
        let found = settings("az://c", Some(endpoint), &[]).unwrap();
        assert_eq!((&*found.server, &*found.account), (azurite, EMULATOR_ACCOUNT));
        assert_eq!(found.key.as_deref(), Some(EMULATOR_KEY));
    }
    for variable in [
        ("AZURE_STORAGE_USE_EMULATOR", "true"),
        ("AZURE_STORAGE_CONNECTION_STRING", "UseDevelopmentStorage=true"),
        ("AZURE_STORAGE_ENDPOINT", azurite),
    ] {
        assert_eq!(server("az://c", None, &[variable]).0, azurite);
    }
    let of_ones_own = settings("az://c", Some("http://127.0.0.1:1"), &[LOGS]).unwrap();
    assert_eq!((&*of_ones_own.server, of_ones_own.key), ("http://127.0.0.1:1/logs", None));
}

#[test]
fn a_connection_string_has_the_account_its_key_and_its_server() {
    let of = |string: &str, more: &[(&str, &str)]| {
        let string = [("AZURE_STORAGE_CONNECTION_STRING", string)];
        settings("az://c", None, &[&string, more].concat())
    };
    let text = "DefaultEndpointsProtocol=https;AccountName=logs;AccountKey=a2V5PT0=;\
        EndpointSuffix=core.chinacloudapi.cn";
    let found = of(text, &[]).unwrap();
    assert_eq!(found.server, "https://logs.blob.core.chinacloudapi.cn");
    assert_eq!(found.key.as_deref(), Some("a2V5PT0="));
    assert_eq!(of(text, &[("AZURE_STORAGE_ACCOUNT", "other")]).unwrap().key, None);
    let text = "BlobEndpoint=https://logs.blob.core.windows.net/;SharedAccessSignature=sv=1&sig=a=";
    let found = of(text, &[]).unwrap();
    assert_eq!((&*found.account, found.signature.as_deref()), ("logs", Some("sv=1&sig=a=")));
    let error = of("AccountKey", &[]).unwrap_err().to_string();
    assert!(error.contains("without '='"), "{error}");
}

#[test]
fn secrets_are_not_printed() {
    let key = ("AZURE_STORAGE_ACCOUNT_KEY", "c2VjcmV0");
    let found = settings("az://c", None, &[LOGS, key]).unwrap();
    assert!(!format!("{found:?}").contains("c2VjcmV0"));
}
