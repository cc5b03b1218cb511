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

    # Not before all that came before: another thread's call that this one waited for was earlier.
    lfence
    rdtsc
    shl     rdx, 32
    or      rax, rdx
    mov     [rbx + {START}], rax
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
    rdtsc
    shl     rdx, 32
    or      rax, rdx
    mov     [rbx + {END}], rax

    # The answer: as many bytes as the plan says, or as the result says.
    mov     rax, [rbx + {RESULT}]
    cmp     rax, -4095
    jae     publish
    mov     rcx, r13
    shr     rcx, 32                     # the most
    test    r13b, {WHOLE}
    jnz     copy_answer
    test    r13b, {AS_RESULT}
    jz      publish
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
    sub     r12, rbx
    mov     [rbx + {LENGTH}], r12
    add     r12, gs:[{HEAD}]
    mov     gs:[{HEAD}], r12
    .globl fewer_agent_published
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
    lea     r12, [r12 + rcx + {PIECE_BYTES} + 7]
    and     r12, -8
copied_text:
    jmp     r14
    .globl fewer_agent_end
fewer_agent_end:
    .previous
