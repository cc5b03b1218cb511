//! Bills of materials: the crates that each product is built from, with versions, licences and
//! check sums, as CycloneDX 1.5.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{Release, write};
use crate::checkout;

/// The products: what they are called, the folder of their workspace, and their crate.
const PRODUCTS: &[(&str, &str, &str)] = &[
    ("fewer", "", "fewer-cli"),
    ("libfewer", "", "fewer-ffi"),
    ("fewer-python", "bindings/python", "fewer-python"),
];

/// The systems that products are built for from different crates: what is put behind their names,
/// and one of their targets.
const SYSTEMS: &[(&str, &str)] =
    &[("", LINUX), ("-windows", "x86_64-pc-windows-gnu"), ("-macos", "aarch64-apple-darwin")];

pub(super) const LINUX: &str = "x86_64-unknown-linux-gnu";

pub(super) fn make(release: &Release) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    for (product, folder, package) in PRODUCTS {
        let workspace = release.root.join(folder);
        let lock = fs::read_to_string(workspace.join("Cargo.lock"));
        let lock = lock.map_err(|why| format!("{folder}/Cargo.lock: {why}"))?;
        // What has a workspace of its own is there on Linux only.
        let systems = if folder.is_empty() { SYSTEMS } else { &SYSTEMS[..1] };
        for (system, triple) in systems {
            let metadata = metadata(&workspace, triple)?;
            let bill = bill(&metadata, &checksums(&lock)?, package)?;
            let name = format!("{product}{system}-{}.cdx.json", release.version);
            write(&release.out.join(&name), format!("{bill:#}\n"))?;
            files.push(name);
        }
    }
    Ok(files)
}

/// What cargo says of a workspace, for a target.
pub(super) fn metadata(workspace: &Path, triple: &str) -> Result<Value, String> {
    let wanted = ["--locked", "--filter-platform", triple];
    checkout::cargo_metadata(&workspace.join("Cargo.toml"), &wanted)
}

/// The check sums of a lock file, by name and version.
fn checksums(lock: &str) -> Result<BTreeMap<(String, String), String>, String> {
    let lock: toml::Table = toml::from_str(lock).map_err(|why| format!("Cargo.lock: {why}"))?;
    let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let text = |package: &toml::Value, key| Some(package.get(key)?.as_str()?.to_owned());
    let sums = packages.filter_map(|package| {
        let key = (text(package, "name")?, text(package, "version")?);
        Some((key, text(package, "checksum")?))
    });
    Ok(sums.collect())
}

/// What a crate is built from.
pub(super) struct Parts {
    /// All packages of the workspace and of others, by their ids.
    packages: BTreeMap<String, Value>,
    /// What each package is built from.
    built_from: BTreeMap<String, Vec<String>>,
    /// The id of the crate.
    root: String,
    /// The crate, and what it is built from, directly or not.
    reached: BTreeSet<String>,
}

impl Parts {
    /// The parts of one crate of a workspace. What is only there for tests is left out.
    pub(super) fn of(metadata: &Value, product: &str) -> Result<Parts, String> {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let packages: BTreeMap<String, Value> = list(&metadata["packages"])
            .into_iter()
            .map(|package| (text(&package["id"]), package))
            .collect();
        let built_from: BTreeMap<String, Vec<String>> = list(&metadata["resolve"]["nodes"])
            .iter()
            .map(|node| {
                let needed = list(&node["deps"]).into_iter().filter(|dependency| {
                    list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"] != "dev")
                });
                (text(&node["id"]), needed.map(|dependency| text(&dependency["pkg"])).collect())
            })
            .collect();
        let root = packages.iter().find(|(_, package)| package["name"] == product);
        let root = root.ok_or_else(|| format!("there is no crate {product}"))?.0.clone();
        let mut reached = BTreeSet::from([root.clone()]);
        let mut ahead = vec![root.clone()];
        while let Some(id) = ahead.pop() {
            let next = built_from.get(&id).into_iter().flatten();
            ahead.extend(next.filter(|id| reached.insert((*id).clone())).cloned());
        }
        Ok(Parts { packages, built_from, root, reached })
    }

    /// All but the crate itself.
    pub(super) fn others(&self) -> impl Iterator<Item = &Value> {
        let others = self.reached.iter().filter(|id| **id != self.root);
        others.filter_map(|id| self.packages.get(id))
    }
}

/// The bill of one crate of the workspace.
fn bill(
    metadata: &Value,
    sums: &BTreeMap<(String, String), String>,
    product: &str,
) -> Result<Value, String> {
    let parts = Parts::of(metadata, product)?;
    let reference = |id: &String| parts.packages.get(id).map(address).unwrap_or_default();
    let dependencies: Vec<Value> = parts
        .reached
        .iter()
        .map(|id| {
            let on = parts.built_from.get(id).into_iter().flatten().map(reference);
            json!({ "ref": reference(id), "dependsOn": on.collect::<Vec<_>>() })
        })
        .collect();
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(&parts.packages[&parts.root], sums, "application") },
        "components": parts.others().map(|it| component(it, sums, "library")).collect::<Vec<_>>(),
        "dependencies": dependencies,
    }))
}

/// The licence of a package, as an expression of SPDX.
pub(super) fn licence(package: &Value) -> String {
    // The old way to write it.
    text(&package["license"]).replace('/', " OR ")
}

fn component(package: &Value, sums: &BTreeMap<(String, String), String>, kind: &str) -> Value {
    let (name, version) = (text(&package["name"]), text(&package["version"]));
    let sum = sums.get(&(name.clone(), version.clone()));
    let hashes: Vec<Value> =
        sum.iter().map(|sum| json!({ "alg": "SHA-256", "content": sum })).collect();
    json!({
        "type": kind,
        "bom-ref": address(package),
        "name": name,
        "version": version,
        "purl": address(package),
        "licenses": [{ "expression": licence(package) }],
        "hashes": hashes,
    })
}

/// The address of a package, as all ecosystems write it.
fn address(package: &Value) -> String {
    format!("pkg:cargo/{}@{}", text(&package["name"]), text(&package["version"]))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bill_has_what_is_built_and_not_what_tests_need() {
        let package = |name: &str, licence: &str| {
            let id = name;
            json!({ "id": id, "name": name, "version": "1.0", "license": licence })
        };
        let needs = |name: &str, kind: Value| {
            let kinds = json!([{ "kind": kind, "target": null }]);
            json!({ "pkg": name, "dep_kinds": kinds })
        };
        let metadata = json!({
            "packages": [package("top", "MIT"), package("a", "MIT/Zlib"), package("b", "MIT"),
                         package("test", "MIT")],
            "resolve": { "nodes": [
                { "id": "top", "deps": [needs("a", Value::Null), needs("test", json!("dev"))] },
                { "id": "a", "deps": [needs("b", json!("build"))] },
                { "id": "b", "deps": [] },
                { "id": "test", "deps": [] },
            ] },
        });
        let lock = "[[package]]\nname = 'a'\nversion = '1.0'\nchecksum = 'cafe'";
        let bill = bill(&metadata, &checksums(lock).unwrap(), "top").unwrap();
        let names: Vec<&Value> =
            bill["components"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(bill["components"][0]["licenses"][0]["expression"], "MIT OR Zlib");
        assert_eq!(bill["components"][0]["hashes"][0]["content"], "cafe");
        assert_eq!(bill["metadata"]["component"]["purl"], "pkg:cargo/top@1.0");
        assert_eq!(bill["dependencies"].as_array().unwrap().len(), 3);
    }
}
