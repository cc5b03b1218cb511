//! The files of hosts, services and protocols opened for every look-up.

use super::databases::Databases;
use super::prelude::*;

pub(super) const ID: &str = "host-lookup";

/// Look-ups beyond the first.
#[derive(Default)]
pub(crate) struct HostLookup {
    databases: Databases,
}

impl Rule for HostLookup {
    fn sees(&self, _: Class) -> bool {
        true
    }

    fn call(&mut self, call: &Call, context: Context) {
        self.databases.call(call, context, FileKind::Hosts);
    }

    fn path_asked(&mut self, call: &Call, _: PathQuestion, context: Context) {
        // The look at nsswitch.conf is a part of it, too.
        if context.kind(call.file).is_database() {
            self.databases.looked(call);
        }
    }

    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        match context.kind(session.file) {
            FileKind::Hosts => {
                let act = Act::ReadWhole { file: session.file };
                self.databases.closed(session, context, act);
            }
            FileKind::Owners => self.databases.other(context.process.id),
            _ => {}
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.databases.gone(context);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let opened = self.databases.opened(registry);
        let findings = opened.into_iter().map(|it| {
            let verdict = format!("to look up hosts or services, {} anew", it.files);
            let (program, tally) = (it.program, &it.tally);
            Draft { id: ID, case: None, program, tally, verdict }.finding(registry)
        });
        findings.collect()
    }
}
