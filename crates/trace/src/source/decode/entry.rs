//! The beginning of a call: its arguments, read before the kernel looks at them.

use super::decoder::Decoder;
use crate::source::filter::{AUDIT_HERE, AUDIT_I386, X32};
use crate::source::join::join;
use crate::source::ptrace::{AllRegisters, Entry, Pid};
use crate::source::stacks::StoppedThread;
use crate::source::tracees::{PathOrigin, Pending, Thread};
use crate::{Call, Machine, Name, PathId, Shape, StackId};

/// Instead of a directory's descriptor: the working directory.
const HERE: i32 = libc::AT_FDCWD;

impl Decoder {
    /// A call begins. `registers`: if they are known already.
    pub(crate) fn entry(
        &mut self,
        id: Pid,
        thread: &mut Thread,
        entry: &Entry,
        registers: Option<&AllRegisters>,
    ) {
        let start = self.now();
        let name = name(entry.machine, entry.number);
        let is_reported = self.reports_all || name.is_watched() || name.is_foreign();
        let call = Call {
            start,
            process: thread.process.id,
            thread: id.cast_unsigned(),
            name,
            arguments: entry.arguments,
            ..Call::default()
        };
        let origin = PathOrigin::default();
        let mut pending = Pending { call, origin, is_reported, is_changed: false };
        self.before_hiding(id, thread, &mut pending);
        self.before_rings(id, thread, &pending.call);
        self.paths_of(id, thread, &mut pending);
        if self.preloads.is_some() {
            self.before_loading(id, thread, &mut pending, registers);
        }
        if pending.is_reported && self.has_stacks {
            pending.call.stack = self.stack(id, thread, registers);
        }
        self.latest_stack = pending.call.stack;
        let result = self.predicted_result(thread, &pending.call);
        thread.pending = Some(pending);
        if let Some(result) = result {
            self.done(id, thread, result);
        }
    }

    /// From where a thread calls.
    fn stack(&mut self, id: Pid, thread: &Thread, known: Option<&AllRegisters>) -> StackId {
        let read = match known {
            Some(_) => None,
            None => AllRegisters::of(id).ok(),
        };
        let Some(registers) = known.or(read.as_ref()) else { return StackId::NONE };
        self.stacks.capture(
            StoppedThread { space: thread.space.number, process: thread.process.id, thread: id },
            &registers.start(),
            &mut self.paths,
            &mut self.events,
        )
    }

    /// The paths that a call names, by text or by descriptor.
    pub(super) fn paths_of(&mut self, id: Pid, thread: &Thread, pending: &mut Pending) {
        let call = &mut pending.call;
        let arguments = call.arguments;
        #[expect(clippy::cast_possible_truncation, reason = "an int is the lower half")]
        let int = |at: usize| arguments[at] as i32;
        match call.name.shape() {
            Shape::Nothing | Shape::Unwatched => {}
            Shape::Path(path) => {
                (call.path, call.file, pending.origin) =
                    self.path_argument(id, thread, HERE, arguments[path]);
            }
            Shape::Paths(first, second) => {
                (call.path, call.file, pending.origin) =
                    self.path_argument(id, thread, HERE, arguments[first]);
                call.second = self.path_argument(id, thread, HERE, arguments[second]).1;
            }
            Shape::At(directory, path) => {
                (call.path, call.file, pending.origin) =
                    self.path_argument(id, thread, int(directory), arguments[path]);
            }
            Shape::Ats(directory, path, second, second_path) => {
                (call.path, call.file, pending.origin) =
                    self.path_argument(id, thread, int(directory), arguments[path]);
                call.second = self.path_argument(id, thread, int(second), arguments[second_path]).1;
            }
            Shape::Descriptor(descriptor) => {
                call.file = self.descriptor_path(id, thread, int(descriptor))
            }
            Shape::Descriptors(first, second) => {
                call.file = self.descriptor_path(id, thread, int(first));
                call.second = self.descriptor_path(id, thread, int(second));
            }
        }
    }

    /// The path of what a descriptor stands for.
    pub(super) fn descriptor_path(&mut self, id: Pid, thread: &Thread, descriptor: i32) -> PathId {
        let mut table = thread.descriptors.borrow_mut();
        let open = table.get(id, descriptor, &mut self.paths, &mut self.events);
        open.map_or(PathId::NONE, |open| open.path)
    }

    /// A path argument: as it is written, and the file that it means.
    pub(super) fn path_argument(
        &mut self,
        id: Pid,
        thread: &Thread,
        directory: i32,
        address: u64,
    ) -> (PathId, PathId, PathOrigin) {
        let Decoder { paths, events, text, whole, view, .. } = self;
        let path = view.text(id, address, text);
        let is_absolute = path.is_some_and(|path| path.first() == Some(&b'/'));
        let path_base = *thread.path_base.borrow();
        let (base, base_is_real) = if is_absolute {
            (path_base.root, true)
        } else if directory == HERE {
            (path_base.directory, path_base.is_real)
        } else {
            let mut table = thread.descriptors.borrow_mut();
            match table.get(id, directory, paths, events) {
                Some(open) => (open.path, open.is_real),
                None => (PathId::NONE, false),
            }
        };
        let origin = PathOrigin { base_is_real, ..PathOrigin::default() };
        let Some(path) = path else {
            // Some calls mean the descriptor itself if there is no path.
            let file = if address == 0 && directory != HERE { base } else { PathId::NONE };
            return (PathId::NONE, file, origin);
        };
        let argument = paths.id(path, events);
        if path.is_empty() {
            // The directory itself, if the call takes it for that.
            return (argument, base, origin);
        }
        if !is_absolute && !base.is_some() {
            return (argument, PathId::NONE, origin);
        }
        let joined = join(paths.bytes(base), base_is_real, path, whole);
        let origin = PathOrigin { names: joined.names, has_parents: joined.has_parents, ..origin };
        let file = if *path == **whole { argument } else { paths.id(whole, events) };
        (argument, file, origin)
    }
}

/// The call behind a number, on the machine that it was made for.
pub(super) fn name(machine: u32, number: u64) -> Name {
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    let is_x32 = Machine::HERE == Machine::X86_64 && number & X32 != 0 && number != u32::MAX;
    if Machine::HERE == Machine::X86_64 && machine == AUDIT_I386 {
        Name::I386(number)
    } else if machine != AUDIT_HERE || is_x32 {
        Name::Foreign(number)
    } else {
        Name::of(number, Machine::HERE)
    }
}
