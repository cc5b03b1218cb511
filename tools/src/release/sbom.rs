//! Bills of materials: the crates that each product is built from, with versions, licences and
//! check sums, as CycloneDX 1.5.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Value, json};

use super::{Made, Release, write};
use crate::checkout;

/// The products: what they are called, the folder of their workspace, and their crate.
const PRODUCTS: &[(&str, &str, &str)] = &[
    ("fewer", "", "fewer-cli"),
    ("libfewer", "", "fewer-ffi"),
    ("fewer-python", "bindings/python", "fewer-python"),
];

pub(super) fn make(release: &Release) -> Result<Made, String> {
    let mut files = Vec::new();
    for (product, folder, package) in PRODUCTS {
        let workspace = release.root.join(folder);
        let wanted = ["--locked", "--filter-platform", "x86_64-unknown-linux-gnu"];
        let metadata = checkout::cargo_metadata(&workspace.join("Cargo.toml"), &wanted)?;
        let lock = fs::read_to_string(workspace.join("Cargo.lock"));
        let lock = lock.map_err(|why| format!("{folder}/Cargo.lock: {why}"))?;
        let bill = bill(&metadata, &checksums(&lock)?, package)?;
        let name = format!("{product}-{}.cdx.json", release.version);
        write(&release.out.join(&name), format!("{bill:#}\n"))?;
        files.push(name);
    }
    Ok(Made::Files(files))
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

/// The bill of one crate of the workspace: what it is built from, directly or not. What is only
/// there for tests is left out.
fn bill(
    metadata: &Value,
    sums: &BTreeMap<(String, String), String>,
    product: &str,
) -> Result<Value, String> {
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
    let (root, package) = root.ok_or_else(|| format!("there is no crate {product}"))?;
    let mut reached = BTreeSet::from([root]);
    let mut ahead = vec![root];
    while let Some(id) = ahead.pop() {
        let next = built_from.get(id).into_iter().flatten();
        ahead.extend(next.filter(|id| reached.insert(id)));
    }
    let reference = |id: &String| packages.get(id).map(address).unwrap_or_default();
    let dependencies: Vec<Value> = reached
        .iter()
        .map(|&id| {
            let on: Vec<String> = built_from.get(id).into_iter().flatten().map(reference).collect();
            json!({ "ref": reference(id), "dependsOn": on })
        })
        .collect();
    let others = reached.iter().filter(|&&id| id != root).filter_map(|&id| packages.get(id));
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(package, sums, "application") },
        "components": others.map(|it| component(it, sums, "library")).collect::<Vec<_>>(),
        "dependencies": dependencies,
    }))
}

fn component(package: &Value, sums: &BTreeMap<(String, String), String>, kind: &str) -> Value {
    let (name, version) = (text(&package["name"]), text(&package["version"]));
    // The old way to write it.
    let licence = text(&package["license"]).replace('/', " OR ");
    let sum = sums.get(&(name.clone(), version.clone()));
    let hashes: Vec<Value> =
        sum.iter().map(|sum| json!({ "alg": "SHA-256", "content": sum })).collect();
    json!({
        "type": kind,
        "bom-ref": address(package),
        "name": name,
        "version": version,
        "purl": address(package),
        "licenses": [{ "expression": licence }],
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
