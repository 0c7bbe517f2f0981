/*
 * A guest in C: checks each request's eight-byte numbers, answers with each plus one.
 * usage: guest DIRECTORY NAME; prints the number of served and of wrong requests when the host has gone.
 */
#include "millrace_ipc.h"

typedef struct { uint64_t served, wrong; } tally;

static int answer(void *context, uint32_t lane, uint32_t type, const uint8_t *request, uint32_t length,
    uint8_t *response, uint32_t capacity)
{
    tally *t = context;
    (void)lane;
    uint64_t first, value;
    t->served++;
    if (length < 8 || length > capacity || type != MR_APP_START)
    {
        t->wrong++;
        return -1;
    }
    memcpy(&first, request, 8);
    for (uint32_t i = 0; i + 8 <= length; i += 8)
    {
        memcpy(&value, request + i, 8);
        t->wrong += value != first + i;
        value++;
        memcpy(response + i, &value, 8);
    }
    return (int)length;
}

int main(int count, char **arguments)
{
    static mr_guest guest;
    char error[MR_ERROR_BYTES];
    tally t = {0, 0};
    if (count != 3)
    {
        fputs("usage: guest DIRECTORY NAME\n", stderr);
        return 2;
    }
    if (mr_attach(&guest, arguments[1], arguments[2], error) != 0)
    {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    while (mr_is_attached(&guest))
    {
        int served = 0;
        for (uint32_t lane = 0; lane < guest.lanes && mr_is_attached(&guest); lane++)
        {
            served += mr_serve(&guest, lane, answer, &t);
        }
        if (served == 0)
        {
            mr_idle(&guest);
        }
    }
    printf("served %llu wrong %llu\n", (unsigned long long)t.served, (unsigned long long)t.wrong);
    return t.wrong != 0;
}
