//! One directory, with metadata.

use fewer::list::{By, Hidden, List, ListOrder, Listing, Moment, Row};
use fewer::{Action, Fields, Kinds, Owners};
use napi::bindgen_prelude::ClassInstance;
use napi::{Env, Result};
use napi_derive::napi;

use crate::cancel::NativeCancel;
use crate::failure::Failure;
use crate::js::{self, ToJs, Value};
use crate::scope::{NativeScope, scope_of};
use crate::stat;
use crate::text::{Encoding, Joined, Text};
use crate::walk_options::{count, path, wrong};
use crate::work::{Answer, Made, made, perform};

/// The options of a list, which `lib/arguments.js` has checked.
#[napi(object)]
pub(crate) struct ListOptions {
    pub fields: Option<Vec<String>>,
    pub sort: Option<String>,
    pub reverse: Option<bool>,
    pub directories_first: Option<bool>,
    pub hidden: Option<bool>,
    pub dots: Option<bool>,
    pub follow: Option<bool>,
    pub links: Option<bool>,
    pub owners: Option<bool>,
    pub threads: Option<f64>,
    pub encoding: Option<String>,
}

fn order(options: &ListOptions) -> Result<ListOrder> {
    let by = match options.sort.as_deref() {
        None | Some("name") => By::Name,
        Some("none") => By::Nothing,
        Some("version") => By::Version,
        Some("extension") => By::Extension,
        Some("size") => By::Size,
        Some("modified") => By::Time(Moment::Modified),
        Some("accessed") => By::Time(Moment::Accessed),
        Some("changed") => By::Time(Moment::Changed),
        Some("created") => By::Time(Moment::Created),
        Some(other) => {
            let orders = "name, version, extension, size, modified, accessed, changed, created, \
                          none";
            return Err(wrong(format!("'{other}' is no order; orders are {orders}")));
        }
    };
    let (reversed, directories_first) = (options.reverse, options.directories_first);
    Ok(ListOrder {
        by,
        reversed: reversed.unwrap_or(false),
        directories_first: directories_first.unwrap_or(false),
    })
}

/// The entries of a directory: see `Rows`.
#[napi]
pub(crate) fn list(
    directory: &[u8],
    options: ListOptions,
    scope: Option<ClassInstance<NativeScope>>,
    cancel: ClassInstance<NativeCancel>,
    later: bool,
) -> Result<Answer> {
    let is = |flag: Option<bool>| flag.unwrap_or(false);
    let mut list = List::new(path(directory))
        .within(&scope_of(scope.as_deref())?)
        .hidden(match (is(options.dots), options.hidden) {
            (true, _) => Hidden::ShowDots,
            (false, Some(false)) => Hidden::Skip,
            (false, _) => Hidden::Show,
        })
        .order(order(&options)?)
        .follow(is(options.follow))
        .links(is(options.links))
        .cancel_when(cancel.check());
    let mut fields = stat::fields(options.fields.as_deref())?;
    if is(options.owners) {
        fields = fields | Fields::OWNER;
    }
    if fields != Fields::NONE {
        list = list.stat(Kinds::ALL, fields);
    }
    if let Some(threads) = options.threads {
        list = list.threads(count(threads));
    }
    let encoding = Encoding::named(options.encoding.as_deref());
    Ok(perform(later, move || read(&list, is(options.owners), encoding)))
}

fn read(list: &List, owners: bool, encoding: Encoding) -> std::result::Result<Made, Failure> {
    let listing = list.read()?;
    Ok(made(Rows::new(&listing, owners.then(Owners::default).as_ref(), encoding)))
}

/// The rows, in JavaScript an array: their names as one text with a NUL between them, how many
/// there are, a table of numbers (`stat::COLUMNS` and three more for each row: whether there are
/// metadata, why not, and why there is no target), the targets, the names of users and of groups
/// (each as one text or undefined), and the failure that ended the reading early (or undefined).
struct Rows {
    names: Text,
    count: usize,
    table: Vec<f64>,
    targets: Option<Text>,
    users: Option<Text>,
    groups: Option<Text>,
    broken_off: Option<Failure>,
}

impl Rows {
    fn new(listing: &Listing, owners: Option<&Owners>, encoding: Encoding) -> Rows {
        let mut names = Joined::default();
        let (mut targets, mut any_target) = (Joined::default(), false);
        let (mut users, mut groups) = (Joined::default(), Joined::default());
        let mut table = Vec::with_capacity((stat::COLUMNS + 3) * listing.len());
        for row in listing.rows() {
            names.push(row.name_bytes());
            let target = row.link().and_then(|link| link.path.as_ref());
            any_target |= target.is_some();
            targets.push(target.and_then(|it| it.as_ref().ok()).map_or(&[], |path| path));
            if let Some(owners) = owners {
                users.push(row.stat().and_then(|it| owners.user(it.user())).unwrap_or_default());
                groups.push(row.stat().and_then(|it| owners.group(it.group())).unwrap_or_default());
            }
            table.extend(numbers(row));
        }
        Rows {
            names: names.into_text(encoding),
            count: listing.len(),
            table,
            targets: any_target.then(|| targets.into_text(encoding)),
            users: owners.map(|_| users.into_text(Encoding::Utf8)),
            groups: owners.map(|_| groups.into_text(Encoding::Utf8)),
            broken_off: listing.broken_off().map(|error| Failure::from(error.clone())),
        }
    }
}

fn numbers(row: Row<'_>) -> [f64; stat::COLUMNS + 3] {
    let mut numbers = [0.0; stat::COLUMNS + 3];
    if let Some(stat) = row.stat() {
        numbers[..stat::COLUMNS].copy_from_slice(&stat::row(stat));
    }
    let inode = row.inode();
    numbers[0] = f64::from(row.kind() as u8);
    numbers[2] = (inode & 0xffff_ffff) as f64;
    numbers[3] = (inode >> 32) as f64;
    let unread = row.link().and_then(|link| link.path.as_ref()?.as_ref().err().copied());
    numbers[stat::COLUMNS..].copy_from_slice(&[
        f64::from(u8::from(row.stat().is_some())),
        row.stat_error().map_or(0.0, |errno| f64::from(errno.raw_os_error())),
        unread.map_or(0.0, |errno| f64::from(errno.raw_os_error())),
    ]);
    numbers
}

impl ToJs for Rows {
    fn to_js(self: Box<Self>, env: &Env) -> Result<Value> {
        let text = |text: &Option<Text>| match text {
            Some(text) => text.value(env),
            None => js::undefined(env),
        };
        let broken_off = match &self.broken_off {
            Some(failure) => failure.value(env)?,
            None => js::undefined(env)?,
        };
        let values = [
            self.names.value(env)?,
            js::value(env, self.count as f64)?,
            js::typed_array(env, &self.table)?,
            text(&self.targets)?,
            text(&self.users)?,
            text(&self.groups)?,
            broken_off,
        ];
        js::array(env, &values)
    }
}

/// The message for an entry whose metadata or target could not be read, which only rows that are
/// looked at pay for.
#[napi]
pub(crate) fn row_failure(number: i32, target: bool, path: &[u8]) -> Answer {
    let path = path.to_vec();
    let action = if target { Action::READ_LINK } else { Action::STAT };
    let errno = fewer::Errno::from_raw_os_error(number);
    perform(false, move || Err(fewer::Error::new(errno, action, &path).into()))
}
