//! What Hadoop's own settings say where an address leaves it open.
//!
//! hdfs-native reads the same files, but tells nothing of them.

use std::ffi::{CString, OsString};

use quick_xml::Reader;
use quick_xml::events::Event;
use sys::OsStringExt;

/// More than a file of settings has.
const FILE_LIMIT_BYTES: usize = 16 << 20;

/// The settings of this process: `core-site.xml` and `hdfs-site.xml` in `HADOOP_CONF_DIR`, or in
/// `etc/hadoop` below `HADOOP_HOME`. A file that is not there says nothing.
#[derive(Debug, Default)]
pub(super) struct Settings {
    files: Vec<String>,
}

impl Settings {
    /// Price: two small files are read.
    pub(super) fn find() -> Settings {
        let below_home = |mut home: OsString| {
            home.push("/etc/hadoop");
            home
        };
        let folder = std::env::var_os("HADOOP_CONF_DIR");
        let folder = folder.or_else(|| std::env::var_os("HADOOP_HOME").map(below_home));
        let read = |name: &str| {
            let mut path = folder.clone()?.into_vec();
            path.extend_from_slice(name.as_bytes());
            let path = CString::new(path).ok()?;
            let text = sys::read_all(sys::CWD, &path, FILE_LIMIT_BYTES).ok()?;
            String::from_utf8(text).ok()
        };
        // What comes first wins.
        let names = ["/hdfs-site.xml", "/core-site.xml"];
        Settings { files: names.into_iter().filter_map(read).collect() }
    }

    /// The value of a property.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        self.files.iter().find_map(|file| property(file, name))
    }
}

/// The value of a property in a file of settings; the last one counts.
fn property(xml: &str, wanted: &str) -> Option<String> {
    let mut reader = Reader::from_str(xml);
    let (mut tag, mut name, mut value, mut found) =
        (Vec::new(), String::new(), String::new(), None);
    loop {
        match reader.read_event().ok()? {
            Event::Eof => return found,
            Event::Start(start) => {
                tag = start.local_name().as_ref().to_vec();
                if tag == b"property" {
                    (name, value) = Default::default();
                }
            }
            Event::Text(text) => match &*tag {
                b"name" => name += text.decode().ok()?.trim(),
                b"value" => value += text.decode().ok()?.trim(),
                _ => {}
            },
            Event::End(end) => {
                if end.local_name().as_ref() == b"property" && name == wanted {
                    found = Some(value.clone());
                }
                tag.clear();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORE: &str = "<?xml version=\"1.0\"?>
        <!-- settings --><configuration>
          <property><name>a</name><value>1</value><final>true</final></property>
          <property>
            <name>fs.defaultFS</name>
            <description>which</description>
            <value> hdfs://nn </value>
          </property>
          <property><value>2</value><name>a</name></property>
          <property><name>empty</name><value/></property>
        </configuration>";

    #[test]
    fn a_property_has_a_name_and_a_value_in_any_order() {
        assert_eq!(property(CORE, "fs.defaultFS").as_deref(), Some("hdfs://nn"));
        assert_eq!(property(CORE, "a").as_deref(), Some("2"));
        assert_eq!(property(CORE, "empty").as_deref(), Some(""));
        assert_eq!(property(CORE, "b"), None);
        assert_eq!(property("no <xml", "a"), None);
    }

    #[test]
    fn the_settings_of_hdfs_win_over_those_of_all_hadoop() {
        let of_hdfs = "<configuration><property><name>a</name><value>3</value></property>\
                       </configuration>";
        let settings = Settings { files: vec![of_hdfs.to_owned(), CORE.to_owned()] };
        assert_eq!(settings.get("a").as_deref(), Some("3"));
        assert_eq!(settings.get("fs.defaultFS").as_deref(), Some("hdfs://nn"));
    }
}
