/* Rust's standard library takes random numbers from bcryptprimitives.dll, which Wine has from
 * version 9 on. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T bytes)
{
    return SystemFunction036(to, (ULONG)bytes);
}
