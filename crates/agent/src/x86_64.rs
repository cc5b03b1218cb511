//! The agent's code for x86-64.

use std::sync::OnceLock;

use crate::layout::{BUCKET_COUNT, CODE_SIZE, LONGEST, NO_BLOCK, NUMBERS, PATH_MAX, SIZE};
use crate::layout::{answer, block, record, stack};
use crate::{AS_RESULT, Agent, BEGINS, CLOSES, FIRST_PATH, LOOKS, MAPS, MOVES, OPENS, Place};
use crate::{SECOND_PATH, UNRECORDED, WHOLE, WRITES};

std::arch::global_asm!(
    include_str!("x86_64.s"),
    NUMBERS = const NUMBERS,
    SIZE = const SIZE,
    LONGEST = const LONGEST,
    PATH_MAX = const PATH_MAX,
    BUCKET_COUNT = const BUCKET_COUNT,
    PLANS = const block::PLANS,
    HEAD = const block::HEAD,
    TAIL = const block::TAIL,
    RBX = const block::RBX,
    R12 = const block::R12,
    R13 = const block::R13,
    R14 = const block::R14,
    SITE = const block::SITE,
    RECORD = const block::RECORD,
    RING = const block::RING,
    CALLING = const block::CALLING,
    SELF = const block::SELF,
    RING_SIZE = const block::RING_SIZE,
    LIMIT = const block::LIMIT,
    MASK = const block::MASK,
    BUCKETS = const block::BUCKETS,
    LENGTH = const record::LENGTH,
    START = const record::START,
    END = const record::END,
    NUMBER = const record::NUMBER,
    ARGUMENTS = const record::ARGUMENTS,
    RESULT = const record::RESULT,
    STACK = const record::STACK,
    RECORD_SITE = const record::SITE,
    PIECES = const record::PIECES,
    PIECE_BYTES = const record::PIECE_BYTES,
    SKIP = const record::SKIP,
    STACK_NEXT = const stack::NEXT,
    STACK_SITE = const stack::SITE,
    STACK_SP = const stack::SP,
    STACK_USES_FP = const stack::USES_FP,
    STACK_FP = const stack::FP,
    STACK_ID = const stack::ID,
    STACK_COUNT = const stack::COUNT,
    STACK_WORDS = const stack::WORDS,
    WORD_SIZE = const stack::WORD_SIZE,
    IS_BEHIND = const stack::IS_BEHIND,
    IS_POINTER = const stack::IS_POINTER,
    FIRST_PATH = const FIRST_PATH,
    SECOND_PATH = const SECOND_PATH,
    OPENS = const OPENS,
    UNNAMED = const UNNAMED,
    MAPS = const MAPS,
    PROT_EXEC = const PROT_EXEC,
    MAP_FIXED = const MAP_FIXED,
    WHOLE = const WHOLE,
    UNRECORDED = const UNRECORDED,
    LOOKS = const LOOKS,
    BEGINS = const BEGINS,
    CLOSES = const CLOSES,
    MOVES = const MOVES,
    GETCWD = const 79,
    DIRECTORY = const record::DIRECTORY,
    WRITES = const WRITES,
    AT_FDCWD = const AT_FDCWD,
    CHANGES = const NO_BLOCK + block::CHANGES,
    WRITERS = const NO_BLOCK + block::WRITERS,
    ANSWERS = const block::ANSWERS,
    ANSWERS_NEXT = const block::ANSWERS_NEXT,
    ANSWERS_END = const block::ANSWERS_END,
    ANSWERS_AT = const block::ANSWERS_AT,
    HASH = const block::HASH,
    KEY = const block::KEY,
    ANSWERED = const block::ANSWERED,
    ANSWERING = const block::ANSWERING,
    ASKED_AT = const block::ASKED_AT,
    ANSWER_HASH = const answer::HASH,
    ANSWER_KEY = const answer::KEY,
    ANSWER_LENGTH = const answer::LENGTH,
    ANSWER_RESULT = const answer::RESULT,
    ANSWER_TEXT = const answer::TEXT,
    ENOENT = const 2,
    EACCES = const 13,
    ENOTDIR = const 20,
    EINVAL = const 22,
    AS_RESULT = const AS_RESULT,
);

/// `__O_TMPFILE`: what is opened gets no name.
const UNNAMED: u32 = 0o20_000_000;

/// The working directory, where a descriptor is expected.
const AT_FDCWD: i32 = -100;

/// What is mapped is code.
const PROT_EXEC: u32 = 4;

/// It replaces what was there.
const MAP_FIXED: u32 = 0x10;

macro_rules! labels {
    ($($field:ident = $symbol:literal),+ $(,)?) => {
        mod symbols {
            #![allow(non_upper_case_globals, reason = "they are named as the fields are")]
            unsafe extern "C" {
                $(#[link_name = $symbol] pub(super) static $field: u8;)+
            }
        }
        /// How far behind the code's beginning each label is.
        struct Labels { $($field: usize),+ }
        impl Labels {
            fn new() -> Labels {
                let begin = &raw const symbols::start as usize;
                Labels { $($field: &raw const symbols::$field as usize - begin),+ }
            }
        }
    };
}

labels! {
    start = "fewer_agent_start",
    saved = "fewer_agent_saved",
    kept = "fewer_agent_kept",
    known = "fewer_agent_known",
    called = "fewer_agent_called",
    answered = "fewer_agent_answered",
    published = "fewer_agent_published",
    remember = "fewer_agent_remember",
    asked = "fewer_agent_asked",
    give_up = "fewer_agent_give_up",
    put_back = "fewer_agent_put_back",
    traced = "fewer_agent_traced",
    text = "fewer_agent_text",
    end = "fewer_agent_end",
}

pub(crate) fn agent() -> &'static Agent {
    static AGENT: OnceLock<Agent> = OnceLock::new();
    AGENT.get_or_init(|| {
        let at = Labels::new();
        assert!(at.end <= CODE_SIZE, "the agent is too long");
        // SAFETY: the labels are the two ends of one section's contents, which are never written.
        let code = unsafe { std::slice::from_raw_parts(&raw const symbols::start, at.end) };
        let places = [
            (at.start, Place::Begun),
            (at.saved, Place::Saved),
            (at.kept, Place::Compares),
            (at.known, Place::Kept),
            (at.called, Place::Called),
            (at.answered, Place::Answered),
            (at.published, Place::Published),
            (at.remember, Place::Answered),
            (at.give_up, Place::Kept),
            (at.put_back, Place::Saved),
            (at.traced, Place::Begun),
            (at.text, Place::Kept),
        ];
        Agent { code, places, call_ends: at.called, question_ends: at.asked }
    })
}
