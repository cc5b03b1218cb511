use super::*;

fn exception(class: &str, message: &str) -> Failure {
    understand(HdfsError::RPCError(class.to_owned(), message.to_owned()))
}

#[test]
fn exceptions_say_what_to_do() {
    let denied =
        "Permission denied: user=ann, access=READ_EXECUTE, inode=\"/x\"\n\tat org.A.b(A:1)";
    let class = "org.apache.hadoop.security.AccessControlException";
    let why = "user=ann, access=READ_EXECUTE, inode=\"/x\"".to_owned();
    assert_eq!(exception(class, denied), Failure::Path(Reason::Denied(why)));
    let missing = exception("java.io.FileNotFoundException", "File /x does not exist.");
    assert_eq!(missing, Failure::Path(Reason::Missing));
    let busy = exception("org.apache.hadoop.ipc.RetriableException", "too busy");
    assert_eq!(busy, Failure::SlowDown("too busy".to_owned()));
    let name = |class: &str| Reason::NameNode { class: class.to_owned(), message: "m".to_owned() };
    let standby = exception("org.apache.hadoop.ipc.StandbyException", "m");
    assert_eq!(standby, Failure::Server(name("StandbyException")));
    let other = exception("org.apache.hadoop.fs.InvalidPathException", "m");
    assert_eq!(other, Failure::Path(name("InvalidPathException")));
    let token = exception("org.apache.hadoop.security.token.SecretManager$InvalidToken", "m");
    assert_eq!(token, Failure::Server(name("InvalidToken")));
}

#[test]
fn kerberos_is_refused_by_name() {
    let Failure::Server(reason) = understand(HdfsError::NoSASLMechanism) else { panic!() };
    assert!(reason.to_string().starts_with("no credentials: Kerberos"), "{reason}");
}

#[test]
fn a_connection_that_breaks_is_made_again() {
    let broken = std::io::Error::from_raw_os_error(sys::Errno::PIPE.raw_os_error());
    assert_eq!(understand(HdfsError::IOError(broken)), Failure::Again("Broken pipe".to_owned()));
}

#[test]
fn without_a_server_in_the_address_it_is_that_of_the_settings() {
    let default = |text: &str| default_authority(Some(text.to_owned()));
    assert_eq!(default("hdfs://nn:9000/"), Ok("nn:9000".to_owned()));
    assert_eq!(default("hdfs://cluster"), Ok("cluster".to_owned()));
    for (settings, word) in [(Some("file:///".to_owned()), "file:///"), (None, "core-site.xml")] {
        let error = default_authority(settings).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
}
