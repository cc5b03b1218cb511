//! The databases of users and groups opened for every look-up.

use super::databases::Databases;
use super::prelude::*;

pub(super) const ID: &str = "owner-lookup";

/// Look-ups beyond the first.
#[derive(Default)]
pub(crate) struct OwnerLookup {
    databases: Databases,
}

impl Rule for OwnerLookup {
    fn sees(&self, _: Class) -> bool {
        true
    }

    fn call(&mut self, call: &Call, context: Context) {
        self.databases.call(call, context, FileKind::Owners);
    }

    fn path_asked(&mut self, call: &Call, _: PathQuestion, context: Context) {
        if context.kind(call.file) == FileKind::Owners {
            self.databases.looked(call);
        }
    }

    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        match context.kind(session.file) {
            FileKind::Owners => self.databases.closed(session, context, Act::LookUpOwner),
            // What was looked at before belongs to a look-up of a host.
            FileKind::Hosts => self.databases.other(context.process.id),
            _ => {}
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.databases.gone(context);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let opened = self.databases.opened(registry);
        let findings = opened.into_iter().map(|it| {
            let verdict = format!("to look up owners, {} anew", it.files);
            let (program, tally) = (it.program, &it.tally);
            Draft { id: ID, case: None, program, tally, verdict }.finding(registry)
        });
        findings.collect()
    }
}
