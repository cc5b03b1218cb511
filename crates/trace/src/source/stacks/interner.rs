//! Gives each distinct frame and stack a number, and emits its definition before the first use.

use super::StoppedThread;
use super::images::{ImageId, Images};
use super::runtime::Script;
use super::space::Spot;
use super::unwind::Trail;
use crate::source::paths::Paths;
use crate::{Event, FrameId, Location, StackId};
use rustc_hash::FxHashMap;

/// The number of a list of frames that were unwound.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) struct TrailId(pub(super) usize);

/// The frames and stacks that were defined so far.
#[derive(Debug, Default)]
pub(super) struct Interner {
    next_frame: u32,
    /// By spot; what lies in no file also by its address space.
    frames: FxHashMap<(Spot, u32), FrameId>,
    locations: FxHashMap<Location, FrameId>,
    trails: Vec<Unwound>,
    numbers: FxHashMap<(Box<[FrameId]>, bool), TrailId>,
    stacks: FxHashMap<(Box<[FrameId]>, bool), StackId>,
    mixed: FxHashMap<TrailId, FxHashMap<Box<[Script]>, StackId>>,
}

/// A list of frames that were unwound.
#[derive(Debug)]
struct Unwound {
    frames: Box<[(FrameId, FrameKind)]>,
    truncated: bool,
    /// The stack without any script's functions, once it has been defined.
    stack: Option<StackId>,
}

/// What a frame is to an interpreter.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum FrameKind {
    /// A run of it.
    Run,
    /// What it has compiled.
    Compiled,
    /// Anything else.
    Other,
}

impl Interner {
    /// The number of a list of frames.
    pub(super) fn trail(
        &mut self,
        stopped: StoppedThread,
        trail: &Trail,
        images: &Images,
        paths: &mut Paths,
        events: &mut Vec<Event>,
    ) -> TrailId {
        let mut frames = Vec::with_capacity(trail.spots.len());
        for &spot in &trail.spots {
            let id = self.frame(stopped, spot, images, paths, events);
            let kind = match images.runtime(spot.image) {
                Some(runtime) if runtime.is_run(spot.address) => FrameKind::Run,
                _ if !images.is_elf(spot.image) => FrameKind::Compiled,
                _ => FrameKind::Other,
            };
            frames.push((id, kind));
        }
        let key = (frames.iter().map(|frame| frame.0).collect(), trail.truncated);
        let next = TrailId(self.trails.len());
        let id = *self.numbers.entry(key).or_insert(next);
        if id == next {
            let (frames, truncated) = (frames.into(), trail.truncated);
            self.trails.push(Unwound { frames, truncated, stack: None });
        }
        id
    }

    /// The number of a spot as a frame.
    pub(super) fn frame(
        &mut self,
        stopped: StoppedThread,
        spot: Spot,
        images: &Images,
        paths: &mut Paths,
        events: &mut Vec<Event>,
    ) -> FrameId {
        let key = (spot, if spot.image == ImageId::JIT { stopped.space } else { 0 });
        *self.frames.entry(key).or_insert_with(|| {
            let id = FrameId(self.next_frame);
            self.next_frame += 1;
            let module = paths.id(images.name(spot.image), events);
            let (address, process) = (spot.address, stopped.process);
            events.push(Event::Frame { id, module, address, process });
            id
        })
    }

    /// The number of a script's location as a frame. Its module is the script, its address the
    /// line.
    pub(super) fn location(
        &mut self,
        location: Location,
        process: u32,
        paths: &mut Paths,
        events: &mut Vec<Event>,
    ) -> FrameId {
        if let Some(&id) = self.locations.get(&location) {
            return id;
        }
        let frame = FrameId(self.next_frame);
        self.next_frame += 1;
        let module = paths.id(location.file.as_bytes(), events);
        events.push(Event::Frame { id: frame, module, address: location.line.into(), process });
        events.push(Event::Locations { frame, locations: vec![location.clone()] });
        self.locations.insert(location, frame);
        frame
    }

    /// Whether what was unwound leads into a program that a runtime executes: a run of it, what it
    /// has compiled, or code that could not be unwound, as that of runtimes often is.
    pub(super) fn may_run_a_program(&self, trail: TrailId) -> bool {
        let unwound = &self.trails[trail.0];
        unwound.truncated || unwound.frames.iter().any(|frame| frame.1 != FrameKind::Other)
    }

    /// The number of a stack: what was unwound, and the functions of a script in it.
    pub(super) fn stack(
        &mut self,
        trail: TrailId,
        scripts: &[Script],
        events: &mut Vec<Event>,
    ) -> StackId {
        let unwound = &self.trails[trail.0];
        if scripts.is_empty() {
            if let Some(stack) = unwound.stack {
                return stack;
            }
        } else if let Some(&stack) = self.mixed.get(&trail).and_then(|known| known.get(scripts)) {
            return stack;
        }
        let key = (mix(&unwound.frames, scripts).into(), unwound.truncated);
        let next = StackId(u32::try_from(self.stacks.len() + 1).unwrap_or(u32::MAX));
        let stack = *self.stacks.entry(key).or_insert_with_key(|key| {
            events.push(Event::Stack { id: next, frames: key.0.to_vec(), truncated: key.1 });
            next
        });
        if scripts.is_empty() {
            self.trails[trail.0].stack = Some(stack);
        } else {
            self.mixed.entry(trail).or_default().insert(scripts.into(), stack);
        }
        stack
    }
}

/// Puts a script's functions where the interpreter ran them: for each run of it, those of that run.
/// If there are more or fewer runs than the stack shows, all go where the innermost run is. If it
/// shows none, they go where the code begins that lies in no file, or else to the end.
fn mix(frames: &[(FrameId, FrameKind)], scripts: &[Script]) -> Vec<FrameId> {
    let runs = frames.iter().filter(|frame| frame.1 == FrameKind::Run).count();
    if runs == 0 || scripts.is_empty() {
        let native =
            frames.iter().take_while(|frame| scripts.is_empty() || frame.1 != FrameKind::Compiled);
        let native = native.map(|frame| frame.0);
        return native.chain(scripts.iter().map(|script| script.frame)).collect();
    }
    let groups: Vec<&[Script]> = scripts.split_inclusive(|script| script.is_last).collect();
    let matching = runs == groups.len();
    let mut groups = groups.into_iter();
    let mut mixed = Vec::with_capacity(frames.len() + scripts.len());
    let mut before = FrameKind::Other;
    for &(frame, kind) in frames {
        match kind {
            FrameKind::Run if matching => {
                let group = groups.next().unwrap_or_default();
                mixed.extend(group.iter().map(|script| script.frame));
            }
            FrameKind::Run => mixed.extend(groups.by_ref().flatten().map(|script| script.frame)),
            // A trampoline that names a function for `perf`: it has its name already.
            FrameKind::Compiled if before == FrameKind::Run => {}
            FrameKind::Compiled | FrameKind::Other => mixed.push(frame),
        }
        before = kind;
    }
    mixed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(text: &str) -> Vec<(FrameId, FrameKind)> {
        let kind = |letter| match letter {
            'R' => FrameKind::Run,
            'J' => FrameKind::Compiled,
            _ => FrameKind::Other,
        };
        (0..).map(FrameId).zip(text.chars().map(kind)).collect()
    }

    fn mixed(text: &str, groups: &[&[u32]]) -> Vec<u32> {
        let scripts = groups.iter().flat_map(|group| {
            let last = group.len() - 1;
            (0..)
                .zip(*group)
                .map(move |(at, &frame)| Script { frame: FrameId(frame), is_last: at == last })
        });
        let scripts: Vec<Script> = scripts.collect();
        mix(&frames(text), &scripts).into_iter().map(|frame| frame.0).collect()
    }

    #[test]
    fn each_run_of_the_interpreter_becomes_its_functions() {
        assert_eq!(mixed("ooRooRo", &[&[70, 71], &[80]]), [0, 1, 70, 71, 3, 4, 80, 6]);
        assert_eq!(mixed("oRJRJo", &[&[70], &[80]]), [0, 70, 80, 5]);
        assert_eq!(mixed("oJRo", &[&[70]]), [0, 1, 70, 3]);
    }

    #[test]
    fn what_does_not_match_stays_together() {
        assert_eq!(mixed("oRoRo", &[&[70, 71]]), [0, 70, 71, 2, 4]);
        assert_eq!(mixed("oRo", &[&[70], &[80]]), [0, 70, 80, 2]);
        assert_eq!(mixed("ooo", &[&[70]]), [0, 1, 2, 70]);
        assert_eq!(mixed("ooJJo", &[&[70, 71]]), [0, 1, 70, 71]);
        assert_eq!(mixed("oRo", &[]), [0, 1, 2]);
    }
}
