//! Brings the agent into a program, and patches the sites that many calls are made from.

use std::fs::{File, OpenOptions};
use std::io;
use std::ops::Range;

use ::agent::layout::{self, BASE};

use super::change::{Change, PATIENCE};
use super::plans;
use super::threads::NO_BLOCK;
use crate::source::inserted::{
    Failure, ISLAND, Patch, Remote, Ring, SYSCALL, Shared, SpaceAgent, stub_of,
};
use crate::source::memory;
use crate::source::proc;
use crate::source::ptrace::{AllRegisters, Pid};
use crate::source::tracer::Tracer;
use crate::{Machine, Name};

/// A function that is longer is not looked at.
const LONGEST_FUNCTION: u64 = 64 << 10;

/// How far a jump reaches, with some to spare.
const REACH: u64 = (2 << 30) - (64 << 20);

/// What a site is to get.
struct Work {
    /// The address behind its `syscall`.
    ip: u64,
    patch: Patch,
    /// The stub's `syscall`, if the stub is there already.
    traced: Option<u64>,
    /// Whether the jump is to be written.
    is_new: bool,
}

impl Tracer<'_> {
    /// A thread stopped before a call, behind the instruction at `ip`. Patches that if it is time.
    /// Whether the thread has gone on, and will stop before the same call once more.
    pub(crate) fn insert_agent(&mut self, id: Pid, ip: u64, registers: &AllRegisters) -> bool {
        let mut registers = *registers;
        let Some(work) = self.work(id, ip, &mut registers) else { return false };
        // The copy would lack what comes now.
        if self.is_being_copied(id) {
            return false;
        }
        let has_agent = self.agent_of(id, |agent| agent.shared.is_some());
        if has_agent && self.has_stub(id, &work) {
            // Nothing has to be asked of the program: its call goes on, to the stub.
            if let Ok(traced) = self.write_patch(id, &work) {
                registers.set_ip(traced + SYSCALL);
                if let Some(block) = self.take_ring(id, false) {
                    *registers.block() = block;
                }
                let _gone = registers.put(id);
            } else {
                self.agent_of(id, |agent| agent.refuse(ip));
            }
            return false;
        }
        let Ok(mut remote) = Remote::new(id, &registers) else { return false };
        match self.bring_in(id, &work, &mut remote) {
            Ok(traced) => {
                self.affinity.let_go(&self.threads);
                let block = self.take_ring(id, !has_agent);
                // One that was killed meanwhile says so itself.
                let _gone = remote.end(traced, block);
                true
            }
            Err(Failure::Gone(stop)) => {
                let _ended = self.gone(&stop);
                true
            }
            Err(Failure::Program(stop)) => {
                self.stops.push_back(stop);
                true
            }
            Err(Failure::Kernel(error)) => {
                self.agent_of(id, |agent| {
                    agent.refuse(ip);
                    agent.is_off |= agent.shared.is_none();
                });
                if let Some(thread) = self.threads.get(&id) {
                    let text = format!("stops at each call: the agent is not brought in: {error}");
                    self.decoder.note("agent", thread, &text);
                }
                let at = registers.start().ip - SYSCALL;
                let _gone = remote.end(at, None);
                true
            }
        }
    }

    fn agent_of<T: Default>(&self, id: Pid, look: impl FnOnce(&mut SpaceAgent) -> T) -> T {
        let thread = self.threads.get(&id);
        thread.map(|thread| look(&mut thread.space.agent.borrow_mut())).unwrap_or_default()
    }

    /// What is to be done for a site, if it is worth it and possible.
    fn work(&mut self, id: Pid, ip: u64, registers: &mut AllRegisters) -> Option<Work> {
        super::call_ends(self.agents.tier)?;
        let thread = self.threads.get_mut(&id)?;
        let number = u32::try_from(registers.call().0).ok()?;
        let name = Name::of(number, Machine::HERE);
        let mut agent = thread.space.agent.borrow_mut();
        // To map memory is no reason to bring it in: that would be while a program is loaded, which
        // has not said yet whether it locks its memory.
        let is_planned = plans::is_planned(name, self.agents.changes.answers)
            && (name != Name::Mmap || agent.shared.is_some());
        if agent.is_off
            || agent.is_full
            || !is_planned
            || thread.stops_always()
            || thread.space.rings.borrow().had_any()
            || thread.descriptors.borrow().is_doubtful()
        {
            return None;
        }
        thread.agent_stops = thread.agent_stops.saturating_add(1);
        // The program has %gs for itself.
        let base = *registers.block();
        let own = agent.shared.as_ref().and_then(|shared| shared.ring(id)).map(Ring::block);
        if own.map_or(base != 0 && base != NO_BLOCK, |own| own != base) {
            drop(agent);
            self.remove_agent(id);
            return None;
        }
        agent.has_returned(registers.start().sp);
        let wants_ring =
            own.is_none() && agent.is_worth_a_ring(thread.agent_stops, self.agents.tier);
        // What stands there is no longer what was patched.
        if registers.start().ip == ip && agent.is_patched(ip) {
            agent.forget(ip);
        }
        if !agent.stop(ip, self.agents.tier, wants_ring) {
            return None;
        }
        let is_other = agent.stub(ip).is_some_and(|(patch, _)| {
            !agent.is_patched(ip) && !stands_there(id, patch.site, &patch.original)
        });
        if is_other {
            agent.forget(ip);
        }
        let (is_patched, stub) = (agent.is_patched(ip), agent.stub(ip));
        drop(agent);
        let space = thread.space.number;
        if !self.is_one_process(id) {
            return None;
        }
        if self.decoder.has_stacks && !self.decoder.stacks.depend_on_words(space) {
            return None;
        }
        if let Some((patch, traced)) = stub {
            return Some(Work { ip, patch, traced: Some(traced), is_new: !is_patched });
        }
        let patch = self.plan(id, space, ip - SYSCALL);
        if patch.is_none() {
            self.agent_of(id, |agent| agent.refuse(ip));
        }
        Some(Work { ip, patch: patch?, traced: None, is_new: true })
    }

    fn plan(&mut self, id: Pid, space: u32, site: u64) -> Option<Patch> {
        let function = self.decoder.stacks.function(id, space, site)?;
        let length =
            function.end.checked_sub(function.start).filter(|it| *it <= LONGEST_FUNCTION)?;
        let mut code = vec![0; usize::try_from(length).ok()?];
        let read = memory::read(id, function.start, &mut code).ok()?;
        let patch = (read == code.len()).then(|| Patch::plan(&code, function, site))??;
        // Other patches hide their jumps, and another function may have some into this one.
        let inside = site + 1..patch.end();
        let is_jumped_into = self.agent_of(id, |agent| agent.jumps_into(&inside))
            || self.decoder.stacks.is_jumped_into(space, &inside).unwrap_or(false);
        (!is_jumped_into).then_some(patch)
    }

    /// Whether there is a stub for a site, or capacity for one.
    fn has_stub(&self, id: Pid, work: &Work) -> bool {
        let reach = reach(work.patch.site);
        work.traced.is_some() || self.agent_of(id, |agent| agent.has_capacity(&reach))
    }

    /// Maps what is missing, and patches. The address of the stub's `syscall`.
    fn bring_in(&mut self, id: Pid, work: &Work, remote: &mut Remote) -> Result<u64, Failure> {
        let has_agent = self.agent_of(id, |agent| agent.shared.is_some());
        if !has_agent {
            // A program that counts its memory has none to give away.
            if proc::has_memory_limit(id) {
                return Err(io::Error::from_raw_os_error(libc::ENOMEM).into());
            }
            let is_copy = self.agent_of(id, |agent| agent.is_copy);
            let nul = self.nul(id, work).ok_or(io::Error::from_raw_os_error(libc::EFAULT))?;
            let words = plans::words(self.agents.changes.answers).to_vec();
            let shared = map_agent(id, remote, nul, is_copy, (words, self.decoder.has_stacks))?;
            self.agent_of(id, |agent| {
                agent.shared = Some(shared);
                agent.is_copy = false;
            });
        }
        if !self.has_stub(id, work) {
            let island = map_island(id, remote, work.patch.site)?;
            self.agent_of(id, |agent| agent.add_island(island));
        }
        Ok(self.write_patch(id, work)?)
    }

    /// An address at which an empty text stands.
    fn nul(&self, id: Pid, work: &Work) -> Option<u64> {
        if self.agent_of(id, |agent| agent.is_copy) {
            return Some(NO_BLOCK);
        }
        let page = work.ip & !0xfff;
        let mut code = [0xff; 4096];
        memory::read(id, page, &mut code).ok()?;
        let at = memchr::memchr(0, &code)?;
        Some(page + at as u64)
    }

    /// Writes the stub and the jump to it. The address of the stub's `syscall`.
    fn write_patch(&mut self, id: Pid, work: &Work) -> io::Result<u64> {
        let far = || io::Error::from_raw_os_error(libc::ERANGE);
        let traced = match work.traced {
            Some(traced) => traced,
            None => {
                let stub = self.agent_of(id, |agent| agent.new_stub(&reach(work.patch.site)));
                let stub = stub.ok_or_else(far)?;
                let (code, traced) = work.patch.stub(stub, BASE).ok_or_else(far)?;
                memory::write_code(id, stub, &code)?;
                stub + traced
            }
        };
        self.agent_of(id, |agent| agent.has_stub(work.ip, work.patch.clone(), traced));
        if work.is_new {
            let bytes = work.patch.jump(stub_of(traced)).ok_or_else(far)?;
            let change = Change { site: work.patch.site, bytes, stub: Some(traced) };
            let is_interrupted = self.agent_of(id, |agent| agent.is_interrupted(&work.patch));
            let is_changed = !is_interrupted && self.change_code(id, &[change], PATIENCE);
            self.agent_of(id, |agent| match is_changed {
                true => agent.patched(work.ip),
                // Its call can be made in the stub all the same.
                false => agent.restored(work.ip, true),
            });
        }
        Ok(traced)
    }
}

/// Whether these bytes stand in a thread's memory.
pub(super) fn stands_there(id: Pid, address: u64, bytes: &[u8]) -> bool {
    let mut found = vec![0; bytes.len()];
    memory::read(id, address, &mut found).is_ok_and(|read| read == found.len()) && found == bytes
}

/// Where a stub of a site may be.
fn reach(site: u64) -> Range<u64> {
    site.saturating_sub(REACH)..site.saturating_add(REACH)
}

/// Maps the agent into a program. `is_copy`: over that of the process of which it is a copy.
fn map_agent(
    id: Pid,
    remote: &mut Remote,
    nul: u64,
    is_copy: bool,
    (words, has_stacks): (Vec<u64>, bool),
) -> Result<Shared, Failure> {
    let flags = u64::from(libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING);
    let descriptor = remote.call(libc::SYS_memfd_create, [nul, flags, 0, 0, 0, 0])?;
    let shared = (|| {
        let path = format!("/proc/{id}/fd/{descriptor}");
        let file: File = OpenOptions::new().read(true).write(true).open(path)?;
        let shared = Shared::new(&file, words, has_stacks)?;
        let fixed = if is_copy { libc::MAP_FIXED } else { libc::MAP_FIXED_NOREPLACE };
        let code = layout::CODE_SIZE as u64;
        let mut map = |offset: u64, length: u64, rights: i32, flags: i32| {
            let (rights, flags) = (rights as u64, (flags | fixed) as u64);
            let to = BASE + offset;
            let at =
                remote.call(libc::SYS_mmap, [to, length, rights, flags, descriptor, offset])?;
            // An old kernel takes the address for a wish.
            if at == to { Ok(()) } else { Err(Failure::Kernel(io::ErrorKind::AddrInUse.into())) }
        };
        map(0, code, libc::PROT_READ | libc::PROT_EXEC, libc::MAP_PRIVATE)?;
        let rest = layout::SIZE as u64 - code;
        map(code, rest, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED)?;
        Ok(shared)
    })();
    match (shared, remote.call(libc::SYS_close, [descriptor, 0, 0, 0, 0, 0])) {
        (Ok(shared), Ok(_)) => Ok(shared),
        (Err(failure), _) | (_, Err(failure)) => Err(failure),
    }
}

/// Maps an island for stubs within reach of a site.
fn map_island(id: Pid, remote: &mut Remote, site: u64) -> Result<u64, Failure> {
    let at = crate::source::stacks::free_range(id, &reach(site), ISLAND)
        .ok_or(io::Error::from_raw_os_error(libc::ENOMEM))?;
    let rights = (libc::PROT_READ | libc::PROT_EXEC) as u64;
    let flags = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE) as u64;
    let mapped = remote.call(libc::SYS_mmap, [at, ISLAND, rights, flags, u64::MAX, 0])?;
    if mapped == at { Ok(at) } else { Err(io::Error::from_raw_os_error(libc::ENOMEM).into()) }
}
