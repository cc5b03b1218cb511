//! How HotSpot's structures are laid out: from its own tables. What differs between releases is
//! asked for by all its names, the newest first; checked with 11, 17, 21 and 25.

use super::tables::{Integer, Tables};

/// Places and distances in bytes.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) threads: ThreadLayout,
    pub(super) cache: CacheLayout,
    pub(super) blob: BlobLayout,
    pub(super) compiled: CompiledLayout,
    pub(super) method: MethodLayout,
}

/// From the list of threads to a thread's innermost frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreadLayout {
    /// Where the list of threads is, and how they are listed.
    pub(super) list: u64,
    pub(super) listed: Listed,
    /// In a thread: what the system knows of it; in that: the kernel's number.
    pub(super) system: u64,
    pub(super) number: Integer,
    /// In a thread: from where it left Java.
    pub(super) anchor: u64,
    /// In that: stack pointer, instruction, frame pointer.
    pub(super) sp: u64,
    pub(super) pc: u64,
    pub(super) fp: u64,
    /// In the frame that enters Java, in words from the frame pointer: the wrapper of the call. In
    /// that: from where the thread left Java before.
    pub(super) wrapper: i64,
    pub(super) outer: u64,
}

/// How threads are listed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Listed {
    /// The list has how many there are, and where their addresses are.
    Together { length: Integer, threads: u64 },
    /// Each has the address of the next: up to 11.
    EachNext(u64),
}

/// Where code is.
#[derive(Clone, Copy, Debug)]
pub(super) struct CacheLayout {
    /// Where the list of heaps is; in it how many they are, and their addresses.
    pub(super) heaps: u64,
    pub(super) count: Integer,
    pub(super) list: u64,
    /// In a heap: its memory, and a byte for each segment.
    pub(super) memory: u64,
    pub(super) segments: u64,
    pub(super) shift: Integer,
    /// In either: its beginning, and the end of what it may grow to.
    pub(super) low: u64,
    pub(super) high: u64,
    /// What is in front of each piece of code.
    pub(super) header: u64,
    /// Where the interpreter's code is listed; in the list: its beginning, its length.
    pub(super) interpreter: u64,
    pub(super) first: u64,
    pub(super) bytes: Integer,
    /// Where the address is that Java returns to when it was called from outside.
    pub(super) entry_return: u64,
}

/// A piece of code of any kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlobLayout {
    pub(super) name: u64,
    /// In words.
    pub(super) frame: Integer,
    pub(super) code: Start,
}

/// Where a part of a piece of code begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// The address is in this field.
    Address(u64),
    /// It is so far behind the beginning as this field says.
    Behind(Integer),
    /// It is so far behind the address in the first field as the second says.
    In(u64, Integer),
    /// The same, and further by what a third says.
    Beyond(Integer, Integer),
}

/// A compiled method.
#[derive(Clone, Copy, Debug)]
pub(super) struct CompiledLayout {
    pub(super) method: u64,
    /// A number that no other has.
    pub(super) number: Integer,
    pub(super) scopes: Start,
    pub(super) methods: Start,
    /// Instructions with their scopes: the beginning and the end.
    pub(super) places: (Start, Start),
    /// Where frames return to that are not valid any more, and where those keep their instruction.
    pub(super) given_up: Start,
    pub(super) instruction: Integer,
    /// Whether integers are written without the byte 0.
    pub(super) without_zero: bool,
}

/// A method, and what its names are in.
#[derive(Clone, Copy, Debug)]
pub(super) struct MethodLayout {
    /// In a method.
    pub(super) constant: u64,
    /// In its constant part. `size` is where the instructions begin.
    pub(super) size: u64,
    pub(super) constants: u64,
    pub(super) flags: Integer,
    pub(super) length: Integer,
    pub(super) name: Integer,
    /// The flag of those with a table of lines.
    pub(super) has_lines: u64,
    /// In the constants of a class; `entries` is where they begin.
    pub(super) class: u64,
    pub(super) entries: u64,
    /// The file's name: there, or in the class.
    pub(super) file: Integer,
    pub(super) file_in_class: bool,
    /// In a class.
    pub(super) class_name: u64,
    /// In a text.
    pub(super) text_length: Integer,
    pub(super) text: u64,
}

impl Layout {
    /// From the tables. In words what is missing.
    pub(super) fn of(tables: &Tables, version: u64) -> Result<Layout, String> {
        Ok(Layout {
            threads: threads(tables)?,
            cache: cache(tables)?,
            blob: blob(tables)?,
            compiled: compiled(tables, version)?,
            method: method(tables)?,
        })
    }
}

fn threads(tables: &Tables) -> Result<ThreadLayout, String> {
    let wrapper = tables.constant("frame::entry_frame_call_wrapper_offset");
    let (list, listed) = if let Ok(list) = tables.address("ThreadsSMRSupport._java_thread_list") {
        let length = tables.integer(&["ThreadsList._length"])?;
        (list, Listed::Together { length, threads: tables.offset(&["ThreadsList._threads"])? })
    } else {
        let next = tables.offset(&["JavaThread._next"])?;
        (tables.address("Threads._thread_list")?, Listed::EachNext(next))
    };
    Ok(ThreadLayout {
        list,
        listed,
        system: tables.offset(&["Thread._osthread", "JavaThread._osthread"])?,
        number: tables.integer(&["OSThread._thread_id"])?,
        anchor: tables.offset(&["JavaThread._anchor"])?,
        sp: tables.offset(&["JavaFrameAnchor._last_Java_sp"])?,
        pc: tables.offset(&["JavaFrameAnchor._last_Java_pc"])?,
        fp: tables.offset(&["JavaFrameAnchor._last_Java_fp"])?,
        wrapper: wrapper.ok_or("its tables lack frame::entry_frame_call_wrapper_offset")?.into(),
        outer: tables.offset(&["JavaCallWrapper._anchor"])?,
    })
}

fn cache(tables: &Tables) -> Result<CacheLayout, String> {
    Ok(CacheLayout {
        heaps: tables.address("CodeCache._heaps")?,
        count: tables.integer(&["GrowableArrayBase._len", "GenericGrowableArray._len"])?,
        list: tables.offset(&["GrowableArray<int>._data"])?,
        memory: tables.offset(&["CodeHeap._memory"])?,
        segments: tables.offset(&["CodeHeap._segmap"])?,
        shift: tables.integer(&["CodeHeap._log2_segment_size"])?,
        low: tables.offset(&["VirtualSpace._low"])?,
        high: tables.offset(&["VirtualSpace._high_boundary"])?,
        header: tables.size("HeapBlock")?,
        interpreter: tables.address("AbstractInterpreter._code")?,
        first: tables.offset(&["StubQueue._stub_buffer"])?,
        bytes: tables.integer(&["StubQueue._buffer_limit"])?,
        entry_return: tables.address("StubRoutines._call_stub_return_address")?,
    })
}

fn blob(tables: &Tables) -> Result<BlobLayout, String> {
    let address = tables.offset(&["CodeBlob._code_begin"]);
    Ok(BlobLayout {
        name: tables.offset(&["CodeBlob._name"])?,
        frame: tables.integer(&["CodeBlob._frame_size"])?,
        code: match address {
            Ok(at) => Start::Address(at),
            Err(_) => Start::Behind(tables.integer(&["CodeBlob._code_offset"])?),
        },
    })
}

/// Compiled methods were changed most often: in 23 what does not change was taken out of them
/// (`_immutable_data`), in 25 what does (`_mutable_data`).
fn compiled(tables: &Tables, version: u64) -> Result<CompiledLayout, String> {
    let constant = tables.offset(&["nmethod._immutable_data"]);
    let changing = tables.offset(&["CodeBlob._mutable_data"]);
    let part = |name: &str| {
        let offset = tables.integer(&[name])?;
        Ok::<_, String>(match constant {
            Ok(data) => Start::In(data, offset),
            Err(_) => Start::Behind(offset),
        })
    };
    let (scopes, end) = if constant.is_ok() {
        let scopes = part("nmethod._scopes_data_offset")?;
        (scopes, scopes)
    } else {
        let scopes = tables.offset(&["CompiledMethod._scopes_data_begin"])?;
        (Start::Address(scopes), part("nmethod._dependencies_offset")?)
    };
    let methods = match (&changing, &constant) {
        (Ok(data), _) => Start::In(*data, tables.integer(&["CodeBlob._relocation_size"])?),
        (_, Ok(_)) => Start::Beyond(
            tables.integer(&["CodeBlob._data_offset"])?,
            tables.integer(&["nmethod._metadata_offset"])?,
        ),
        _ => Start::Behind(tables.integer(&["nmethod._metadata_offset"])?),
    };
    let given_up = match tables.integer(&["nmethod._deopt_handler_offset"]) {
        Ok(offset) => Start::Behind(offset),
        Err(_) => Start::Address(tables.offset(&["CompiledMethod._deopt_handler_begin"])?),
    };
    Ok(CompiledLayout {
        method: tables.offset(&["nmethod._method", "CompiledMethod._method"])?,
        number: tables.integer(&["nmethod._compile_id"])?,
        scopes,
        methods,
        places: (part("nmethod._scopes_pcs_offset")?, end),
        given_up,
        instruction: tables.integer(&["nmethod._orig_pc_offset"])?,
        without_zero: version >= 20,
    })
}

fn method(tables: &Tables) -> Result<MethodLayout, String> {
    let file = tables.integer(&["ConstantPool._source_file_name_index"]);
    let file_in_class = file.is_err();
    let lines = tables
        .constant("ConstMethodFlags::_misc_has_linenumber_table")
        .or(tables.constant("ConstMethod::_has_linenumber_table"));
    Ok(MethodLayout {
        constant: tables.offset(&["Method._constMethod"])?,
        size: tables.size("ConstMethod")?,
        constants: tables.offset(&["ConstMethod._constants"])?,
        flags: tables.integer(&["ConstMethod._flags._flags", "ConstMethod._flags"])?,
        length: tables.integer(&["ConstMethod._code_size"])?,
        name: tables.integer(&["ConstMethod._name_index"])?,
        has_lines: lines.map_or(1, |flag| u64::from(flag.unsigned_abs())),
        class: tables.offset(&["ConstantPool._pool_holder"])?,
        entries: tables.size("ConstantPool")?,
        file: file.or_else(|_| tables.integer(&["InstanceKlass._source_file_name_index"]))?,
        file_in_class,
        class_name: tables.offset(&["Klass._name"])?,
        text_length: tables.integer(&["Symbol._length"])?,
        text: tables.offset(&["Symbol._body[0]", "Symbol._body"])?,
    })
}
