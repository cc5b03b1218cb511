//! Which server it is, and which user, by Hadoop's own settings.

use std::path::Path;

use super::cluster::{cluster, fewer, stderr};

/// A folder of settings: the properties of `core-site.xml`, and those of `hdfs-site.xml`.
fn folder(core: &[(&str, &str)], hdfs: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, properties) in [("core-site.xml", core), ("hdfs-site.xml", hdfs)] {
        let property = |(name, value): &(&str, &str)| {
            format!("<property><name>{name}</name><value>{value}</value></property>\n")
        };
        let properties: String = properties.iter().map(property).collect();
        let text = format!("<?xml version=\"1.0\"?>\n<configuration>{properties}</configuration>");
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn printed(address: &str, folder: &Path) -> String {
    let output = fewer(address).env("HADOOP_CONF_DIR", folder).output().unwrap();
    let printed = String::from_utf8(output.stdout.clone()).unwrap();
    printed + &stderr(&output)
}

#[test]
fn without_a_server_it_is_the_default_one() {
    let Some(cluster) = cluster() else { return };
    let default = cluster.address("");
    let settings = folder(&[("fs.defaultFS", &default)], &[]);
    assert_eq!(printed("hdfs:///t/empty", settings.path()), "hdfs:///t/empty\n");
    let other = folder(&[("fs.defaultFS", "file:///")], &[]);
    let message = printed("hdfs:///t/empty", other.path());
    assert!(message.contains("'file:///'"), "{message}");
    let output = fewer("hdfs:///t/empty").output().unwrap();
    assert!(stderr(&output).contains("HADOOP_CONF_DIR"), "{output:?}");
}

#[test]
fn of_a_nameservice_the_name_node_that_answers_is_called() {
    let Some(cluster) = cluster() else { return };
    let here = format!("127.0.0.1:{}", cluster.port);
    let settings = folder(
        &[("fs.defaultFS", "hdfs://all")],
        &[
            ("dfs.nameservices", "all"),
            ("dfs.ha.namenodes.all", "one,two"),
            // Nothing listens there, and no program gets this port by chance.
            ("dfs.namenode.rpc-address.all.one", "127.0.0.1:1"),
            ("dfs.namenode.rpc-address.all.two", &here),
        ],
    );
    for address in ["hdfs://all/t/empty", "hdfs:///t/empty"] {
        assert_eq!(printed(address, settings.path()), format!("{address}\n"));
    }
}

#[test]
fn without_a_port_it_is_that_of_name_nodes() {
    // Nothing is expected to listen there on a machine that tests.
    let output = fewer("hdfs://127.0.0.1/t").output().unwrap();
    assert!(stderr(&output).contains("Connection refused"), "{output:?}");
}
