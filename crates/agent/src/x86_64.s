# The agent for x86-64. It is copied into a program and runs there; it has no stack, calls nothing,
# and uses neither vector registers nor memory other than its block, its ring, and what it copies.
#
# A stub jumps here instead of making a call. Then the registers are as the call wants them, but
#   r11 = the address of the stub's own `syscall`, behind which the program goes on.
# A system call leaves rcx and r11 changed, and the tracer has made sure that nobody looks at the
# flags afterwards: these three are free. %gs has the thread's block.
#
# Whoever is here may be stopped at any instruction. What the labels say of the registers is what
# the tracer relies on when it takes the thread out of here.
    .section .rodata.fewer_agent, "a"
    .balign 64
    .globl fewer_agent_start
fewer_agent_start:
    # The program may have set %gs itself by now. In the memory of programs there is no address of
    # the file that the agent is in.
    lea     rcx, [rip + fewer_agent_start]
    sub     rcx, gs:[{SELF}]
    neg     rcx
    cmp     rcx, {SIZE}
    jae     traced
    mov     ecx, eax
    cmp     ecx, {NUMBERS}
    jae     traced
    mov     rcx, gs:[rcx*8 + {PLANS}]
    test    rcx, rcx
    jz      traced
    test    cl, {MAPS}
    jz      is_planned
    cmp     r8d, -1
    jne     traced
    test    edx, {PROT_EXEC}
    jnz     traced
    test    r10d, {MAP_FIXED}
    jnz     traced
is_planned:
    mov     gs:[{RBX}], rbx
    mov     gs:[{R12}], r12
    mov     gs:[{R13}], r13
    mov     gs:[{R14}], r14
    mov     gs:[{SITE}], r11
    .globl fewer_agent_saved
fewer_agent_saved:                      # rbx, r12, r13, r14 are in the block
    mov     r13, rcx                    # the plan

    # Room for the longest record, and for what has to be skipped to have it in one piece.
    mov     r12, gs:[{HEAD}]
    mov     rcx, r12
    sub     rcx, gs:[{TAIL}]
    cmp     rcx, gs:[{LIMIT}]
    ja      put_back
    mov     rcx, r12
    and     rcx, gs:[{MASK}]
    mov     rbx, gs:[{RING}]
    add     rbx, rcx
    neg     rcx
    add     rcx, gs:[{RING_SIZE}]       # what is left behind it
    cmp     rcx, {LONGEST}
    jae     has_room
    mov     r14, {SKIP}
    or      r14, rcx
    mov     [rbx], r14
    add     r12, rcx
    mov     gs:[{HEAD}], r12
    mov     rbx, gs:[{RING}]
has_room:
    mov     gs:[{RECORD}], rbx
    mov     [rbx + {NUMBER}], rax
    mov     [rbx + {ARGUMENTS}], rdi
    mov     [rbx + {ARGUMENTS} + 8], rsi
    mov     [rbx + {ARGUMENTS} + 16], rdx
    mov     [rbx + {ARGUMENTS} + 24], r10
    mov     [rbx + {ARGUMENTS} + 32], r8
    mov     [rbx + {ARGUMENTS} + 40], r9
    mov     [rbx + {RECORD_SITE}], r11
    .globl fewer_agent_kept
fewer_agent_kept:                       # rax, rdi, rsi, rdx are in the record
    lea     r12, [rbx + {PIECES}]       # where the next piece comes

    # From where? The words that the stack depends on are compared with those of stacks seen before.
    mov     rdi, gs:[{BUCKETS}]
    test    rdi, rdi
    jz      stack_is_known
    mov     rcx, rsp
    shr     rcx, 4
    xor     rcx, r11
    and     ecx, {BUCKET_COUNT} - 1
    mov     r14, [rdi + rcx*8]
next_stack:
    test    r14, r14
    jz      give_up
    cmp     [r14 + {STACK_SITE}], r11
    jne     other_stack
    cmp     [r14 + {STACK_SP}], rsp
    jne     other_stack
    cmp     qword ptr [r14 + {STACK_USES_FP}], 0
    je      same_fp
    cmp     [r14 + {STACK_FP}], rbp
    jne     other_stack
same_fp:
    mov     ecx, [r14 + {STACK_COUNT}]
    lea     rsi, [r14 + {STACK_WORDS}]
next_word:
    sub     ecx, 1
    js      same_stack
    mov     rdi, [rsi]
    add     rsi, {WORD_SIZE}
    test    dil, {IS_BEHIND} | {IS_POINTER}
    jnz     along_pointers
    mov     rdx, [rdi]                  # if it is not there, the tracer sees the fault first
    and     rdx, [rsi - 16]
    cmp     rdx, [rsi - 8]
    je      next_word
other_stack:
    mov     r14, [r14 + {STACK_NEXT}]
    jmp     next_stack
along_pointers:
    mov     edx, edi
    and     rdi, -8
    test    dl, {IS_BEHIND}
    jz      has_address
    add     rdi, rax                    # where the last pointer led to
has_address:
    mov     rdi, [rdi]
    test    dl, {IS_POINTER}
    jnz     is_pointer
    and     rdi, [rsi - 16]
    cmp     rdi, [rsi - 8]
    je      next_word
    jmp     other_stack
is_pointer:
    mov     rax, rdi
    test    rax, rax
    jnz     next_word
    jmp     other_stack
same_stack:
    mov     rcx, [r14 + {STACK_ID}]
    mov     [rbx + {STACK}], rcx
    .globl fewer_agent_known
fewer_agent_known:                      # as behind `kept`
stack_is_known:

    # The paths, before the call: it may write over them.
    test    r13b, {FIRST_PATH}
    jz      no_first
    mov     ecx, r13d
    shr     ecx, 8
    and     ecx, 7
    lea     r14, [rip + no_first]
    jmp     copy_text
no_first:
    test    r13b, {SECOND_PATH}
    jz      no_second
    mov     ecx, r13d
    shr     ecx, 16
    and     ecx, 7
    lea     r14, [rip + no_second]
    jmp     copy_text
no_second:
    test    r13d, {CLOSES} | {LOOKS}
    jnz     look
make_call:
    test    r13b, {UNRECORDED}
    jnz     needs_no_start

    # Not before all that came before: another thread's call that this one waited for was earlier.
    lfence
    rdtsc
    shl     rdx, 32
    or      rax, rdx
    mov     [rbx + {START}], rax
needs_no_start:
    mov     rax, [rbx + {NUMBER}]
    mov     rdi, [rbx + {ARGUMENTS}]
    mov     rsi, [rbx + {ARGUMENTS} + 8]
    mov     rdx, [rbx + {ARGUMENTS} + 16]
    mov     gs:[{CALLING}], rbx         # the call has not been made
    syscall
    .globl fewer_agent_called
fewer_agent_called:                     # rax: its result, which is nowhere else
    mov     [rbx + {RESULT}], rax
    .globl fewer_agent_answered
fewer_agent_answered:                   # the result is in the record
    test    r13b, {UNRECORDED}
    jnz     needs_no_end
    rdtsc
    shl     rdx, 32
    or      rax, rdx
    mov     [rbx + {END}], rax
needs_no_end:

    # The answer: as many bytes as the plan says, or as the result says.
    mov     rax, [rbx + {RESULT}]
    cmp     rax, -4095
    jae     publish
    mov     rcx, r13
    shr     rcx, 32
    movzx   ecx, cx                     # the most
    test    r13b, {WHOLE}
    jnz     copy_answer
    test    r13b, {AS_RESULT}
    jz      has_no_answer
    cmp     rcx, rax
    cmova   rcx, rax
copy_answer:
    mov     esi, r13d
    shr     esi, 24
    and     esi, 7
    mov     rsi, [rbx + {ARGUMENTS} + rsi*8]
    mov     [r12], rsi
    mov     [r12 + 8], rcx
    lea     rdi, [r12 + {PIECE_BYTES}]
    lea     r12, [rdi + rcx + 7]
    and     r12, -8
    rep movsb
publish:
    test    r13b, {UNRECORDED}
    jnz     remember
    sub     r12, rbx
    mov     [rbx + {LENGTH}], r12
    add     r12, gs:[{HEAD}]
    mov     gs:[{HEAD}], r12
    .globl fewer_agent_published
is_published:
fewer_agent_published:                  # the tracer sees the record; the ring may move on
    mov     qword ptr gs:[{CALLING}], 0
    mov     rax, [rbx + {RESULT}]
    mov     rdi, [rbx + {ARGUMENTS}]
    mov     rsi, [rbx + {ARGUMENTS} + 8]
    mov     rdx, [rbx + {ARGUMENTS} + 16]
    mov     rbx, gs:[{RBX}]
    mov     r12, gs:[{R12}]
    mov     r13, gs:[{R13}]
    mov     r14, gs:[{R14}]
    mov     r11, gs:[{SITE}]
    add     r11, 2
    jmp     r11                         # behind the stub's `syscall`

    # Keeps the answer to a question, if it will be the same the next time.
    .globl fewer_agent_remember
fewer_agent_remember:                   # as behind `answered`
remember:
    test    r13d, {LOOKS}
    jz      is_published
    mov     rsi, gs:[{HASH}]
    test    rsi, rsi
    jz      is_published
    mov     rax, [rip + fewer_agent_start + {CHANGES}]
    cmp     rax, gs:[{ANSWERS_AT}]
    jne     is_published
    mov     rax, [rbx + {RESULT}]
    cmp     rax, -4095
    jae     is_lasting
    test    r13b, {OPENS}               # a descriptor is new each time
    jnz     is_published
    jmp     keep
is_lasting:
    cmp     eax, -{ENOENT}
    je      keep
    cmp     eax, -{EACCES}
    je      keep
    cmp     eax, -{ENOTDIR}
    je      keep
    cmp     eax, -{EINVAL}              # no link
    jne     is_published
keep:
    mov     r14, gs:[{ANSWERS_NEXT}]
    mov     rcx, r12
    lea     rdx, [rbx + {PIECES} + 8]
    sub     rcx, rdx                    # the question and the answer
    lea     rdi, [r14 + {ANSWER_TEXT}]
    lea     r11, [rdi + rcx]
    cmp     r11, gs:[{ANSWERS_END}]
    ja      is_full
    mov     gs:[{ANSWERS_NEXT}], r11
    mov     [r14 + {ANSWER_HASH}], rsi
    mov     [r14 + {ANSWER_LENGTH}], rcx
    mov     [r14 + {ANSWER_RESULT}], rax
    mov     rax, gs:[{KEY}]
    mov     [r14 + {ANSWER_KEY}], rax
    and     esi, {BUCKET_COUNT} - 1
    shl     esi, 3
    add     rsi, gs:[{ANSWERS}]
    mov     rax, [rsi]
    mov     [r14], rax
    xchg    rsi, rdx
    shr     ecx, 3
    rep movsq
    mov     [rdx], r14
    jmp     is_published
is_full:
    mov     qword ptr gs:[{ANSWERS_AT}], -1     # none of them is of use any more
    jmp     is_published

    # Where the working directory is now: soon it may be another one, or no more.
has_no_answer:
    test    r13d, {MOVES}
    jz      publish
    lea     rdi, [r12 + {PIECE_BYTES}]
    mov     esi, {PATH_MAX}
    mov     eax, {GETCWD}
    syscall
    .globl fewer_agent_asked
fewer_agent_asked:
    cmp     rax, -4095
    jae     publish
    mov     qword ptr [r12], {DIRECTORY}
    mov     [r12 + 8], rax
    lea     r12, [rdi + rax + 7]
    and     r12, -8
    jmp     publish

    # Not here: the call is made where the tracer sees it.
    .globl fewer_agent_give_up
fewer_agent_give_up:
give_up:
    mov     rax, [rbx + {NUMBER}]
    mov     rdi, [rbx + {ARGUMENTS}]
    mov     rsi, [rbx + {ARGUMENTS} + 8]
    mov     rdx, [rbx + {ARGUMENTS} + 16]
    .globl fewer_agent_put_back
fewer_agent_put_back:                   # as before `kept`
put_back:
    mov     rbx, gs:[{RBX}]
    mov     r12, gs:[{R12}]
    mov     r13, gs:[{R13}]
    mov     r14, gs:[{R14}]
    .globl fewer_agent_traced
fewer_agent_traced:                     # as at the start
traced:
    jmp     r11

    .globl fewer_agent_text
fewer_agent_text:                       # as behind `kept`
    # A piece: the text that argument rcx points to, with its NUL. Then on to r14.
copy_text:
    test    r13b, {OPENS}
    jz      has_name
    test    dword ptr [rbx + {ARGUMENTS} + rcx*8 + 8], {UNNAMED}
    jnz     give_up
    test    r13b, {UNRECORDED}
    jz      has_name
    test    dword ptr [rbx + {ARGUMENTS} + rcx*8 + 8], {WRITES}
    jnz     give_up
has_name:
    mov     rsi, [rbx + {ARGUMENTS} + rcx*8]
    test    rsi, rsi
    jz      copied_text
    mov     [r12], rsi
    xor     ecx, ecx
next_byte:
    movzx   eax, byte ptr [rsi + rcx]
    mov     [r12 + rcx + {PIECE_BYTES}], al
    add     ecx, 1
    cmp     al, '.'
    jbe     dot_or_end
not_the_end:
    cmp     ecx, {PATH_MAX}
    jb      next_byte
    jmp     last_byte
dot_or_end:
    test    eax, eax
    jz      last_byte
    test    r13b, {OPENS}
    jz      not_the_end
    cmp     al, '.'
    jne     not_the_end
    cmp     [rsi + rcx], al             # as there is no NUL yet, another byte follows
    jne     not_the_end
    cmp     ecx, 1                      # nothing but `..`
    jne     give_up
    cmp     byte ptr [rsi + rcx + 1], 0
    je      not_the_end
    jmp     give_up
last_byte:
    mov     [r12 + 8], rcx
    mov     qword ptr [r12 + rcx + {PIECE_BYTES}], 0
    lea     r12, [r12 + rcx + {PIECE_BYTES} + 7]
    and     r12, -8
copied_text:
    jmp     r14

    # A call that may be answered from memory; or `close`.
look:
    cmp     qword ptr [rip + fewer_agent_start + {WRITERS}], 0
    je      nothing_is_written
    test    r13d, {CLOSES}
    jnz     give_up
cannot_look:
    mov     qword ptr gs:[{HASH}], 0
    jmp     make_call
nothing_is_written:
    test    r13d, {CLOSES}
    jnz     make_call
    lea     rsi, [rbx + {PIECES} + 8]   # the question: the path, and arguments behind it
    cmp     r12, rsi
    jbe     cannot_look                 # there is no path
    cmp     dword ptr [rsi + 8], 0x6f72702f     # "/pro"
    je      is_in_proc
    cmp     dword ptr [rsi + 8], 0x7665642f     # "/dev"
    jne     is_of_a_disk
    movabs  rax, 0x6d68732f7665642f     # "/dev/shm"
    cmp     [rsi + 8], rax
    je      is_of_a_disk
    cmp     byte ptr [rsi + 12], '/'
    jne     is_of_a_disk
    jmp     cannot_look
is_in_proc:
    cmp     word ptr [rsi + 12], 0x2f63         # "c/"
    je      cannot_look                 # what is there changes by itself
is_of_a_disk:
    test    r13d, {BEGINS}
    jz      is_fixed
    cmp     dword ptr [rbx + {ARGUMENTS}], {AT_FDCWD}
    je      is_fixed
    cmp     byte ptr [rsi + 8], '/'
    jne     cannot_look
is_fixed:
    rdtsc
    shl     rdx, 32
    or      rax, rdx
    mov     gs:[{ASKED_AT}], rax
    mov     rdx, r13
    shr     rdx, 48
    mov     rax, [rbx + {NUMBER}]
    xor     ecx, ecx
next_argument:
    mov     [r12 + rcx*8], rax
    xor     eax, eax
    bt      edx, ecx
    jnc     no_matter
    mov     rax, [rbx + rcx*8 + {ARGUMENTS}]
no_matter:
    add     ecx, 1
    cmp     ecx, 6
    jbe     next_argument
    add     r12, 56

    # All answers are void when anything has changed.
    mov     rdx, [rip + fewer_agent_start + {CHANGES}]
    cmp     rdx, gs:[{ANSWERS_AT}]
    je      are_valid
    mov     rdi, gs:[{ANSWERS}]
    xor     eax, eax
    mov     ecx, {BUCKET_COUNT}
    rep stosq
    mov     gs:[{ANSWERS_NEXT}], rdi
    mov     gs:[{ANSWERS_AT}], rdx      # last: who is taken out of here begins anew
are_valid:
    mov     rcx, r12
    sub     rcx, rsi
    mov     gs:[{KEY}], rcx
    movabs  rdx, 0x9e3779b97f4a7c15     # no more than an odd number without a pattern
    mov     rax, rcx
next_part:
    xor     rax, [rsi]
    imul    rax, rdx
    mov     rcx, rax
    shr     rcx, 32
    xor     rax, rcx
    add     rsi, 8
    cmp     rsi, r12
    jb      next_part
    bts     rax, 63                     # 0 is no hash
    mov     gs:[{HASH}], rax
    mov     ecx, eax
    and     ecx, {BUCKET_COUNT} - 1
    mov     rdx, gs:[{ANSWERS}]
    lea     r14, [rdx + rcx*8]
next_answer:
    mov     r14, [r14]
    test    r14, r14
    jz      make_call
    cmp     [r14 + {ANSWER_HASH}], rax
    jne     next_answer
    mov     rcx, gs:[{KEY}]
    cmp     [r14 + {ANSWER_KEY}], rcx
    jne     next_answer
    lea     rsi, [rbx + {PIECES} + 8]
    lea     rdi, [r14 + {ANSWER_TEXT}]
    shr     ecx, 3
    repe cmpsq
    jne     next_answer
    mov     rcx, [r14 + {ANSWER_LENGTH}]
    cmp     rcx, gs:[{KEY}]
    je      has_no_bytes
    mov     rcx, [rdi + 8]
    lea     rsi, [rdi + {PIECE_BYTES}]
    mov     edx, r13d
    shr     edx, 24
    and     edx, 7
    mov     rdi, [rbx + {ARGUMENTS} + rdx*8]
    rep movsb
has_no_bytes:
    mov     rax, [r14 + {ANSWER_RESULT}]
    mov     [rbx + {RESULT}], rax
    add     qword ptr gs:[{ANSWERED}], 1
    rdtsc
    shl     rdx, 32
    or      rax, rdx
    sub     rax, gs:[{ASKED_AT}]
    add     gs:[{ANSWERING}], rax
    jmp     is_published
    .globl fewer_agent_end
fewer_agent_end:
    .previous
