/*
 * Baselines of the direct exchange, in C, between two processes on two cores.
 * usage: ipc_floor line|exchange CPU CPU MS; prints calls, nanoseconds, wrong answers, then p50 p90 p99 p99.9 in ns.
 *   line      one cache line goes to and fro: nothing else
 *   exchange  the slot protocol and the layout of the exchange, 64 bytes each way, each word checked
 */
#include "millrace_ipc.h"
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#define SLOTS 64
#define SAMPLES (8 << 20)

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

static void pause_once(void) { __builtin_ia32_pause(); }

static int plus_one(void *context, uint32_t lane, uint32_t type, const uint8_t *request, uint32_t length,
    uint8_t *response, uint32_t capacity)
{
    (void)context; (void)lane; (void)type; (void)capacity;
    for (uint32_t i = 0; i < length; i += 8)
    {
        uint64_t value;
        memcpy(&value, request + i, 8);
        value++;
        memcpy(response + i, &value, 8);
    }
    return (int)length;
}

static int by_size(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint64_t wrong;

/* The host's side of one call, step by step as in HostLane. */
static void call(mr_guest *g, uint64_t n)
{
    uint8_t *slot = mr_slot(g, 0, (uint32_t)n & (SLOTS - 1)), *payload = slot + MR_AT_PAYLOAD;
    uint64_t word = mr_load(slot), claimed = mr_with(word, g->host, MR_BUSY);
    if (mr_state(word) != MR_FREE || !mr_cas(slot, word, claimed))
    {
        wrong++;
        return;
    }
    for (uint64_t i = 0; i < 64; i += 8)
    {
        const uint64_t value = n + i;
        memcpy(payload + i, &value, 8);
    }
    atomic_store_explicit(mr_at(slot + MR_AT_REQUEST), 64 | (uint64_t)MR_APP_START << 32, memory_order_relaxed);
    mr_cas(slot, claimed, mr_with(claimed, g->host, MR_REQ_READY));
    if (atomic_load(mr_at(mr_lane(g, 0) + MR_AT_GUEST_WAITING)) != 0)
    {
        wrong++;
    }
    const uint64_t answered = mr_with(claimed, g->self, MR_RESP_READY);
    while (mr_load(slot) != answered)
    {
        pause_once();
    }
    mr_cas(slot, answered, mr_with(answered, g->host, MR_DONE));
    wrong += (uint32_t)mr_load(slot + MR_AT_RESPONSE) != 64;
    for (uint64_t i = 0; i < 64; i += 8)
    {
        uint64_t value;
        memcpy(&value, payload + 64 + i, 8);
        wrong += value != n + i + 1;
    }
    const uint64_t done = mr_with(answered, g->host, MR_DONE);
    mr_cas(slot, done, mr_word(0, mr_generation(done) + 1, MR_FREE));
}

static void to_and_fro(uint8_t *line, uint64_t n)
{
    atomic_store_explicit(mr_at(line), 2 * n + 1, memory_order_release);
    while (mr_load(line) != 2 * n + 2)
    {
        pause_once();
    }
}

int main(int count, char **arguments)
{
    static mr_guest g;
    if (count != 5)
    {
        return 2;
    }
    const bool is_line = strcmp(arguments[1], "line") == 0;
    const uint64_t ns = strtoull(arguments[4], NULL, 10) * 1000000u;
    g.lanes = 1;
    g.slots = SLOTS;
    g.payload = 64;
    g.slot_bytes = 256;
    g.lane_bytes = MR_LANE_HEADER_BYTES + g.slot_bytes * SLOTS;
    g.file_bytes = MR_HEADER_BYTES + g.lane_bytes;
    g.host = 0x11111111;
    g.self = 0x22222222;
    g.base = mmap(NULL, g.file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    uint32_t *samples = malloc(SAMPLES * sizeof *samples);
    memset(samples, 1, SAMPLES * sizeof *samples);
    const pid_t child = fork();
    if (child == 0)
    {
        pin(atoi(arguments[3]));
        for (uint64_t n = 0;; n++)
        {
            if (is_line)
            {
                while (mr_load(g.base) != 2 * n + 1)
                {
                    pause_once();
                }
                atomic_store_explicit(mr_at(g.base), 2 * n + 2, memory_order_release);
            }
            else
            {
                while (mr_serve(&g, 0, plus_one, NULL) == 0)
                {
                    pause_once();
                }
            }
        }
    }
    pin(atoi(arguments[2]));
    uint64_t n = 0;
    for (; n < 10000; n++)
    {
        is_line ? to_and_fro(g.base, n) : call(&g, n);
    }
    const uint64_t start = now();
    uint64_t last = start, calls = 0;
    while (last - start < ns && calls < SAMPLES)
    {
        is_line ? to_and_fro(g.base, n) : call(&g, n);
        n++;
        const uint64_t t = now();
        samples[calls++] = (uint32_t)(t - last);
        last = t;
    }
    kill(child, 9);
    waitpid(child, NULL, 0);
    qsort(samples, calls, sizeof *samples, by_size);
    printf("%llu %llu %llu %u %u %u %u\n", (unsigned long long)calls, (unsigned long long)(last - start),
        (unsigned long long)wrong, samples[calls / 2], samples[calls * 9 / 10], samples[calls * 99 / 100],
        samples[calls * 999 / 1000]);
    return wrong != 0;
}
