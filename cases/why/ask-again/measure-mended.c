// Measures how much processor time many items take.
#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(void)
{
    double start = now(), spent = 0;
    long sum = 0;

    for (int item = 0; item < 4000; item++)
        sum += (long) item * item % 7;
    spent = now() - start;
    printf("%ld %d\n", sum, spent >= 0);
    return 0;
}
