/*
 * Guest of a Millrace exchange in C (C11, Linux). One header, no library; docs/shared-memory.md describes the file.
 *
 *     mr_guest guest;
 *     char error[MR_ERROR_BYTES];
 *     if (mr_attach(&guest, "/dev/shm/millrace-me", "orders", error) != 0) { puts(error); return 1; }
 *     while (mr_is_attached(&guest))
 *     {
 *         int served = 0;
 *         for (uint32_t lane = 0; lane < guest.lanes; lane++) served += mr_serve(&guest, lane, handler, context);
 *         if (served == 0) mr_idle(&guest);
 *     }
 *     mr_detach(&guest);
 *
 * One thread. Every number that comes from the host is read once and checked against the guest's own copy of the
 * limits. A file that is shortened raises SIGBUS, which this header does not handle.
 */
#ifndef MILLRACE_IPC_H
#define MILLRACE_IPC_H

/* For struct ucred. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file is little-endian");

#define MR_MAGIC 0x3143504943524C4DULL
#define MR_VERSION 1u
#define MR_HELLO_MAGIC 0x4F4C4548u
#define MR_LINE 64u
#define MR_PAIR 128u
#define MR_HEADER_BYTES 256u
#define MR_LANE_HEADER_BYTES 256u
#define MR_MAX_LANES 128u
#define MR_MAX_SLOTS 1024u
#define MR_MAX_PAYLOAD (1u << 20)
#define MR_MAX_NESTED 8u
#define MR_ERROR_BYTES 256

/* Offsets in the header. */
enum { MR_AT_MAGIC = 0, MR_AT_VERSION = 8, MR_AT_HASH = 16, MR_AT_COUNTS = 24, MR_AT_SIZES = 32, MR_AT_FILE_BYTES = 40,
    MR_AT_HOST_ID = 64, MR_AT_HOST_BEAT = 72, MR_AT_GUEST_ID = 128, MR_AT_GUEST_BEAT = 136, MR_AT_GUEST_PID = 144 };
/* Offsets in a lane, and in a slot. */
enum { MR_AT_HOST_WAITING = 0, MR_AT_GUEST_WAITING = 128 };
enum { MR_AT_WORD = 0, MR_AT_REQUEST = 8, MR_AT_RESPONSE = 16, MR_AT_PAYLOAD = 64 };
/* States of a slot. */
enum { MR_FREE = 0, MR_REQ_READY = 1, MR_RESP_READY = 2, MR_DONE = 3, MR_BUSY = 4, MR_ABANDONED = 5 };
/* Statuses of a response. */
enum { MR_OK = 0, MR_FAILED = 1, MR_REFUSED = 2 };
/* Types of requests; applications use 0 and those from MR_APP_START. */
enum { MR_NORMAL = 0, MR_HEARTBEAT = 1, MR_APP_START = 128 };

typedef struct
{
    uint8_t *base;
    size_t file_bytes;
    int socket;
    uint32_t self, host;
    /* Our own copy of the limits. */
    uint32_t lanes, slots, payload, nested;
    size_t lane_bytes, slot_bytes;
    uint32_t next[MR_MAX_LANES], generation[MR_MAX_LANES];
    uint64_t beats;
    unsigned idle, busy;
} mr_guest;

/*
 * Serves a request: reads length bytes, writes at most capacity bytes of response.
 * Returns the response's length, or -1 if it failed.
 */
typedef int (*mr_handler)(void *context, uint32_t lane, uint32_t type, const uint8_t *request, uint32_t length,
    uint8_t *response, uint32_t capacity);

static inline uint64_t mr_word(uint32_t owner, uint32_t generation, uint32_t state)
{
    return (uint64_t)owner << 32 | (uint64_t)(generation & 0xFFFFFF) << 8 | state;
}

static inline uint32_t mr_owner(uint64_t word) { return (uint32_t)(word >> 32); }
static inline uint32_t mr_generation(uint64_t word) { return (uint32_t)(word >> 8) & 0xFFFFFF; }
static inline uint32_t mr_state(uint64_t word) { return (uint32_t)word & 0xFF; }
static inline uint64_t mr_with(uint64_t word, uint32_t owner, uint32_t state)
{
    return mr_word(owner, mr_generation(word), state);
}

static inline _Atomic uint64_t *mr_at(uint8_t *address) { return (_Atomic uint64_t *)(void *)address; }

/* Acquire: pairs with the other side's compare-and-set. */
static inline uint64_t mr_load(uint8_t *address) { return atomic_load_explicit(mr_at(address), memory_order_acquire); }

/* Sequentially consistent: only this changes a slot's word. */
static inline bool mr_cas(uint8_t *address, uint64_t expected, uint64_t value)
{
    return atomic_compare_exchange_strong(mr_at(address), &expected, value);
}

/* Both steps of a release: DONE, then FREE with the next generation. */
static inline bool mr_free(uint8_t *slot, uint64_t word, uint32_t self)
{
    const uint64_t done = mr_with(word, self, MR_DONE);
    return mr_cas(slot, word, done) && mr_cas(slot, done, mr_word(0, mr_generation(done) + 1, MR_FREE));
}

static inline uint8_t *mr_lane(const mr_guest *g, uint32_t lane)
{
    return g->base + MR_HEADER_BYTES + lane * g->lane_bytes;
}

/* A slot of a lane; nested slots follow the others. */
static inline uint8_t *mr_slot(const mr_guest *g, uint32_t lane, uint32_t slot)
{
    return mr_lane(g, lane) + MR_LANE_HEADER_BYTES + slot * g->slot_bytes;
}

static inline uint64_t mr_hash(const mr_guest *g)
{
    const uint32_t numbers[] = {MR_VERSION, MR_HEADER_BYTES, MR_LANE_HEADER_BYTES, MR_AT_GUEST_WAITING, MR_AT_REQUEST,
        MR_AT_RESPONSE, MR_AT_PAYLOAD, g->lanes, g->slots, g->payload, g->nested, (uint32_t)g->slot_bytes};
    uint64_t hash = 0xCBF29CE484222325ULL;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    {
        for (int shift = 0; shift < 32; shift += 8)
        {
            hash = (hash ^ (numbers[i] >> shift & 0xFF)) * 0x100000001B3ULL;
        }
    }
    return hash;
}

/* Takes the limits from the header, each once, and checks them. */
static inline int mr_read_header(mr_guest *g, char *error)
{
    const uint64_t magic = mr_load(g->base + MR_AT_MAGIC), version = mr_load(g->base + MR_AT_VERSION);
    if (magic != MR_MAGIC || version != MR_VERSION)
    {
        snprintf(error, MR_ERROR_BYTES, "the file has magic %llx, version %llu; this header has %llx, version %u",
            (unsigned long long)magic, (unsigned long long)version, (unsigned long long)MR_MAGIC, MR_VERSION);
        return -1;
    }
    const uint64_t counts = mr_load(g->base + MR_AT_COUNTS), sizes = mr_load(g->base + MR_AT_SIZES);
    g->lanes = (uint32_t)counts;
    g->slots = (uint32_t)(counts >> 32);
    g->payload = (uint32_t)sizes;
    g->nested = (uint32_t)(sizes >> 32);
    if (g->lanes < 1 || g->lanes > MR_MAX_LANES || g->slots < 1 || g->slots > MR_MAX_SLOTS ||
        (g->slots & (g->slots - 1)) != 0 || g->payload < MR_LINE || g->payload > MR_MAX_PAYLOAD ||
        g->payload % MR_LINE != 0 || g->nested > MR_MAX_NESTED)
    {
        snprintf(error, MR_ERROR_BYTES, "the header is damaged: lanes %u, slots %u, payload %u, nested %u",
            g->lanes, g->slots, g->payload, g->nested);
        return -1;
    }
    g->slot_bytes = (MR_AT_PAYLOAD + 2 * (size_t)g->payload + MR_PAIR - 1) / MR_PAIR * MR_PAIR;
    g->lane_bytes = MR_LANE_HEADER_BYTES + g->slot_bytes * (g->slots + g->nested);
    if (mr_load(g->base + MR_AT_HASH) != mr_hash(g) || MR_HEADER_BYTES + g->lane_bytes * g->lanes > g->file_bytes)
    {
        snprintf(error, MR_ERROR_BYTES, "the file has layout hash %llx and %zu bytes; this header has %llx and %zu",
            (unsigned long long)mr_load(g->base + MR_AT_HASH), g->file_bytes, (unsigned long long)mr_hash(g),
            MR_HEADER_BYTES + g->lane_bytes * g->lanes);
        return -1;
    }
    return 0;
}

/* Connects, checks the host's user, and says hello. */
static inline int mr_connect(mr_guest *g, const char *directory, const char *name, char *error)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct ucred peer;
    socklen_t length = sizeof peer;
    uint32_t hello[4] = {MR_HELLO_MAGIC, MR_VERSION, 0, 0};
    if (getrandom(&g->self, sizeof g->self, 0) != sizeof g->self || g->self == 0)
    {
        g->self = 1;
    }
    hello[2] = g->self;
    if (snprintf(address.sun_path, sizeof address.sun_path, "%s/%s.socket", directory, name) >=
        (int)sizeof address.sun_path)
    {
        snprintf(error, MR_ERROR_BYTES, "the socket's path is too long");
        return -1;
    }
    g->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (g->socket < 0 || connect(g->socket, (struct sockaddr *)&address, sizeof address) != 0 ||
        getsockopt(g->socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0)
    {
        snprintf(error, MR_ERROR_BYTES, "no host: %s: %s", address.sun_path, strerror(errno));
        return -1;
    }
    if (peer.uid != geteuid())
    {
        snprintf(error, MR_ERROR_BYTES, "the host belongs to user %u, this process to %u", peer.uid, geteuid());
        return -1;
    }
    const struct timeval limit = {.tv_sec = 1};
    setsockopt(g->socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (send(g->socket, hello, sizeof hello, MSG_NOSIGNAL) != sizeof hello ||
        recv(g->socket, hello, sizeof hello, MSG_WAITALL) != sizeof hello || hello[0] != MR_HELLO_MAGIC ||
        hello[1] != MR_VERSION || hello[3] != 0 || hello[2] != (uint32_t)mr_load(g->base + MR_AT_HOST_ID))
    {
        snprintf(error, MR_ERROR_BYTES, "the host refused this guest (answer %u)", hello[3]);
        return -1;
    }
    g->host = hello[2];
    return 0;
}

static inline void mr_detach(mr_guest *g)
{
    if (g->socket >= 0)
    {
        close(g->socket);
    }
    if (g->base != NULL && g->base != MAP_FAILED)
    {
        munmap(g->base, g->file_bytes);
    }
    g->socket = -1;
    g->base = NULL;
}

/* Finds each lane's next slot: those before it have been freed once more than the others. */
static inline void mr_find_next(mr_guest *g)
{
    for (uint32_t lane = 0; lane < g->lanes; lane++)
    {
        g->next[lane] = 0;
        g->generation[lane] = mr_generation(mr_load(mr_slot(g, lane, 0)));
        for (uint32_t i = 1; i < g->slots && g->next[lane] == 0; i++)
        {
            const uint32_t here = mr_generation(mr_load(mr_slot(g, lane, i)));
            if (here != g->generation[lane])
            {
                g->next[lane] = i;
                g->generation[lane] = here;
            }
        }
    }
}

/* Attaches to a host. Returns 0, or -1 with the reason in error. */
static inline int mr_attach(mr_guest *g, const char *directory, const char *name, char *error)
{
    char path[512];
    struct stat status;
    memset(g, 0, sizeof *g);
    g->socket = -1;
    snprintf(path, sizeof path, "%s/%s.exchange", directory, name);
    const int file = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0)
    {
        snprintf(error, MR_ERROR_BYTES, "no host: %.150s: %s", path, strerror(errno));
        if (file >= 0)
        {
            close(file);
        }
        return -1;
    }
    if (status.st_uid != geteuid() || (status.st_mode & 077) != 0 || status.st_size < (off_t)MR_HEADER_BYTES)
    {
        snprintf(error, MR_ERROR_BYTES, "%.150s: user %u, mode %o, %lld bytes", path, status.st_uid, status.st_mode,
            (long long)status.st_size);
        close(file);
        return -1;
    }
    g->file_bytes = (size_t)status.st_size;
    g->base = mmap(NULL, g->file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (g->base == MAP_FAILED || mr_read_header(g, error) != 0 || mr_connect(g, directory, name, error) != 0)
    {
        mr_detach(g);
        return -1;
    }
    atomic_store(mr_at(g->base + MR_AT_GUEST_ID), g->self);
    atomic_store(mr_at(g->base + MR_AT_GUEST_PID), (uint64_t)getpid());
    mr_find_next(g);
    return 0;
}

static inline bool mr_is_attached(const mr_guest *g) { return g->socket >= 0; }

/* Beats: at least every 100 ms. mr_idle does. */
static inline void mr_beat(mr_guest *g)
{
    atomic_store_explicit(mr_at(g->base + MR_AT_GUEST_BEAT), ++g->beats, memory_order_release);
}

/* Wakes the host's thread of a lane if it is parked. After the compare-and-set that publishes for it. */
static inline void mr_signal(mr_guest *g, uint32_t lane)
{
    uint8_t *waiting = mr_lane(g, lane) + MR_AT_HOST_WAITING;
    if (atomic_load(mr_at(waiting)) != 0 && mr_cas(waiting, 1, 0))
    {
        const uint8_t byte = (uint8_t)lane;
        /* A lost byte delays the host by one park. */
        (void)!send(g->socket, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
}

/* Publishes a response if its caller still waits; frees the slot of a caller that has given up. */
static inline bool mr_reply(mr_guest *g, uint8_t *slot, uint64_t taken, uint32_t status, uint32_t length)
{
    if (mr_load(slot) == taken)
    {
        atomic_store_explicit(mr_at(slot + MR_AT_RESPONSE), (uint64_t)status << 32 | length, memory_order_relaxed);
        if (mr_cas(slot, taken, mr_with(taken, g->self, MR_RESP_READY)))
        {
            return true;
        }
    }
    const uint64_t abandoned = mr_with(taken, g->self, MR_ABANDONED);
    if (mr_load(slot) == abandoned)
    {
        mr_free(slot, abandoned, g->self);
    }
    return false;
}

/* Whether a slot was given back, or reclaimed, before we came to it. */
static inline bool mr_is_behind(const mr_guest *g, uint32_t lane, uint64_t word)
{
    const uint32_t ahead = (mr_generation(word) - g->generation[lane]) & 0xFFFFFF;
    return ahead != 0 && ahead < 0x800000;
}

/* Serves the next request of a lane. Returns 1 if there was one, 0 if not; detaches from a host that breaks a rule. */
static inline int mr_serve(mr_guest *g, uint32_t lane, mr_handler handler, void *context)
{
    uint32_t index = g->next[lane];
    uint8_t *slot = mr_slot(g, lane, index);
    uint64_t word = mr_load(slot);
    for (uint32_t skipped = 0; mr_state(word) != MR_REQ_READY; skipped++)
    {
        if (!mr_is_behind(g, lane, word) || skipped == g->slots)
        {
            return 0;
        }
        index = (index + 1) & (g->slots - 1);
        g->generation[lane] = (g->generation[lane] + (index == 0)) & 0xFFFFFF;
        g->next[lane] = index;
        slot = mr_slot(g, lane, index);
        word = mr_load(slot);
    }
    g->next[lane] = (index + 1) & (g->slots - 1);
    g->generation[lane] = (mr_generation(word) + (g->next[lane] == 0)) & 0xFFFFFF;
    const uint64_t taken = mr_with(word, g->self, MR_BUSY);
    if (mr_owner(word) != g->host)
    {
        mr_detach(g);
        return 0;
    }
    if (!mr_cas(slot, word, taken))
    {
        return 0;
    }
    const uint64_t descriptor = atomic_load_explicit(mr_at(slot + MR_AT_REQUEST), memory_order_relaxed);
    const uint32_t length = (uint32_t)descriptor, type = (uint32_t)(descriptor >> 32) & 0xFFFF;
    if (length > g->payload || descriptor >> 48 > 7)
    {
        mr_detach(g);
        return 0;
    }
    if (type == MR_HEARTBEAT)
    {
        mr_reply(g, slot, taken, MR_OK, 0);
    }
    else if (descriptor >> 48 != 0 || (type != MR_NORMAL && type < MR_APP_START))
    {
        /* This header does not stream. */
        mr_reply(g, slot, taken, MR_REFUSED, 0);
    }
    else
    {
        uint8_t *request = slot + MR_AT_PAYLOAD;
        const int answer = handler(context, lane, type, request, length, request + g->payload, g->payload);
        const bool valid = answer >= 0 && (uint32_t)answer <= g->payload;
        mr_reply(g, slot, taken, valid ? MR_OK : MR_FAILED, valid ? (uint32_t)answer : 0);
    }
    mr_signal(g, lane);
    if ((++g->busy & 0xFFFF) == 0)
    {
        mr_beat(g);
    }
    return 1;
}

/* Waits up to ms milliseconds for a byte of the host; detaches when the host is gone. */
static inline void mr_wait(mr_guest *g, int ms)
{
    struct pollfd events = {.fd = g->socket, .events = POLLIN};
    uint8_t bytes[256];
    if (poll(&events, 1, ms) > 0)
    {
        const ssize_t count = recv(g->socket, bytes, sizeof bytes, MSG_DONTWAIT);
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
        {
            mr_detach(g);
        }
    }
}

/* Idles between polls that found nothing: spins, then waits for the host's byte with all lanes' flags up. */
static inline void mr_idle(mr_guest *g)
{
    if (!mr_is_attached(g))
    {
        return;
    }
    if ((++g->idle & 0x3FFF) != 0)
    {
        return;
    }
    mr_beat(g);
    bool ready = false;
    for (uint32_t lane = 0; lane < g->lanes; lane++)
    {
        /* Pairs with the host's load after its compare-and-set: it sees the flag, or we see its word. */
        atomic_store(mr_at(mr_lane(g, lane) + MR_AT_GUEST_WAITING), 1);
    }
    for (uint32_t lane = 0; lane < g->lanes; lane++)
    {
        const uint64_t word = atomic_load(mr_at(mr_slot(g, lane, g->next[lane])));
        ready |= mr_state(word) == MR_REQ_READY || mr_is_behind(g, lane, word);
    }
    mr_wait(g, ready ? 0 : 10);
    for (uint32_t lane = 0; lane < g->lanes && mr_is_attached(g); lane++)
    {
        atomic_store(mr_at(mr_lane(g, lane) + MR_AT_GUEST_WAITING), 0);
    }
}

#endif
