package io.millrace.ipc;

import io.millrace.pool.Range;

/**
 * Layout of the shared file. All numbers are little-endian; {@code docs/shared-memory.md} has the table.
 * <pre>
 *  0                  64                 128                256
 *  +------------------+------------------+------------------+--------+--------+-----
 *  | magic, version,  | host:            | guest:           | lane 0 | lane 1 | ...
 *  | hash, limits     | id, heartbeat    | id, heartbeat    |        |        |
 *  +------------------+------------------+------------------+--------+--------+-----
 *
 *  lane:  0              128             256
 *         +--------------+---------------+--------+-----+----------+----------+-----
 *         | host waits   | guest waits   | slot 0 | ... | nested 0 | nested 1 | ...
 *         +--------------+---------------+--------+-----+----------+----------+-----
 *
 *  slot:  0                                64              64 + payload
 *         +--------------------------------+---------------+----------------+--------------+
 *         | word, request and response     | request       | response       | padding      |
 *         | descriptor                     | payload       | payload        | to 128 bytes |
 *         +--------------------------------+---------------+----------------+--------------+
 * </pre>
 * Control, request and response lie on cache lines of their own. An instance has our own copy of the limits; nothing is
 * read from the file a second time.
 */
final class ExchangeLayout
{
    /** "MLRCIPC1" in the order of the bytes. */
    static final long MAGIC = 0x3143_5049_4352_4C4DL;
    static final int VERSION = 1;
    static final int LINE_BYTES = 64;
    /** Two lines: some processors fetch lines in pairs. */
    static final int PAIR_BYTES = 2 * LINE_BYTES;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int HASH_OFFSET = 16;
    /** Lanes in the lower half, slots of a lane in the upper half. */
    static final int COUNTS_OFFSET = 24;
    /** Payload bytes in the lower half, nested slots in the upper half. */
    static final int SIZES_OFFSET = 32;
    static final int FILE_BYTES_OFFSET = 40;
    /** For people: process numbers repeat. */
    static final int HOST_PID_OFFSET = 48;
    static final int HOST_START_MS_OFFSET = 56;
    static final int HOST_ID_OFFSET = LINE_BYTES;
    static final int HOST_HEARTBEAT_OFFSET = HOST_ID_OFFSET + 8;
    static final int GUEST_ID_OFFSET = PAIR_BYTES;
    static final int GUEST_HEARTBEAT_OFFSET = GUEST_ID_OFFSET + 8;
    static final int GUEST_PID_OFFSET = GUEST_ID_OFFSET + 16;
    static final int GUEST_START_MS_OFFSET = GUEST_ID_OFFSET + 24;
    static final int HEADER_BYTES = 2 * PAIR_BYTES;

    static final int HOST_WAITING_OFFSET = 0;
    static final int GUEST_WAITING_OFFSET = PAIR_BYTES;
    static final int LANE_HEADER_BYTES = 2 * PAIR_BYTES;

    static final int REQUEST_OFFSET = 8;
    static final int RESPONSE_OFFSET = 16;
    static final int PAYLOAD_OFFSET = LINE_BYTES;

    /** A lane is named by one byte on the control socket; the values above it are free for later use. */
    static final int MAX_LANES = 128;
    /** Beyond some hundred requests in flight a lane gains nothing, and leaves the second-level cache. */
    static final int MAX_SLOTS = 1_024;
    /** Larger messages are streamed. */
    static final int MAX_PAYLOAD_BYTES = 1 << 20;
    /** Nested slots of a lane: host to guest to host to guest, eight deep. */
    static final int MAX_NESTED = 8;

    final int lanes;
    final int slots;
    final int payloadBytes;
    final int nested;
    final int slotBytes;
    final int laneBytes;
    final int fileBytes;

    /**
     * A layout of valid limits.
     *
     * @throws IllegalArgumentException if a limit is out of range; the message has the value and the range.
     */
    ExchangeLayout(final int lanes, final int slots, final int payloadBytes, final int nested)
    {
        this.lanes = Range.check("lanes", lanes, 1, MAX_LANES);
        this.slots = Range.check("slots", slots, 1, MAX_SLOTS);
        this.payloadBytes = Range.check("payloadBytes", payloadBytes, LINE_BYTES, MAX_PAYLOAD_BYTES);
        this.nested = Range.check("nestedDepth", nested, 0, MAX_NESTED);
        if (Integer.bitCount(slots) != 1)
        {
            throw new IllegalArgumentException("slots " + slots + " is not a power of two in 1.." + MAX_SLOTS);
        }
        if (payloadBytes % LINE_BYTES != 0)
        {
            throw new IllegalArgumentException("payloadBytes " + payloadBytes + " is not a multiple of " +
                LINE_BYTES + " in " + LINE_BYTES + ".." + MAX_PAYLOAD_BYTES);
        }
        slotBytes = (PAYLOAD_OFFSET + 2 * payloadBytes + PAIR_BYTES - 1) / PAIR_BYTES * PAIR_BYTES;
        final long bytesOfLane = LANE_HEADER_BYTES + (long)slotBytes * (slots + nested);
        final long bytes = HEADER_BYTES + bytesOfLane * lanes;
        if (bytes > Integer.MAX_VALUE)
        {
            throw new IllegalArgumentException("the file would have " + bytes + " bytes; the limit is " +
                Integer.MAX_VALUE);
        }
        laneBytes = (int)bytesOfLane;
        fileBytes = (int)bytes;
    }

    int lane(final int lane)
    {
        return HEADER_BYTES + lane * laneBytes;
    }

    /** Offset of a slot; the nested slots follow the others. */
    int slot(final int lane, final int slot)
    {
        return lane(lane) + LANE_HEADER_BYTES + slot * slotBytes;
    }

    /** FNV-1a over the numbers that both sides must agree on, each as four bytes. */
    long hash()
    {
        long hash = 0xCBF2_9CE4_8422_2325L;
        for (final int number : new int[] {VERSION, HEADER_BYTES, LANE_HEADER_BYTES, GUEST_WAITING_OFFSET,
            REQUEST_OFFSET, RESPONSE_OFFSET, PAYLOAD_OFFSET, lanes, slots, payloadBytes, nested, slotBytes})
        {
            for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE)
            {
                hash = (hash ^ number >>> shift & 0xFF) * 0x100_0000_01B3L;
            }
        }
        return hash;
    }

    /** Writes the header. The magic is last: a guest that reads it sees the rest. */
    void write(final SharedMemory memory, final int hostId, final long pid, final long startMs)
    {
        memory.put(VERSION_OFFSET, VERSION);
        memory.put(HASH_OFFSET, hash());
        memory.put(COUNTS_OFFSET, pair(lanes, slots));
        memory.put(SIZES_OFFSET, pair(payloadBytes, nested));
        memory.put(FILE_BYTES_OFFSET, fileBytes);
        memory.put(HOST_PID_OFFSET, pid);
        memory.put(HOST_START_MS_OFFSET, startMs);
        memory.put(HOST_ID_OFFSET, Integer.toUnsignedLong(hostId));
        // Pairs with the load in read.
        memory.setRelease(MAGIC_OFFSET, MAGIC);
    }

    private static long pair(final int low, final int high)
    {
        return (long)high << Integer.SIZE | low;
    }

    /**
     * Reads and checks the header, each field once.
     *
     * @param availableBytes size of the file.
     * @throws ExchangeException if the file is not one of ours, or of another version or layout.
     */
    static ExchangeLayout read(final SharedMemory memory, final long availableBytes) throws ExchangeException
    {
        // Pairs with the release store in write.
        final long magic = memory.getAcquire(MAGIC_OFFSET);
        if (magic != MAGIC)
        {
            throw new ExchangeException(magic == Long.reverseBytes(MAGIC) ?
                "the file has the other byte order" :
                "the file is not an exchange: magic " + Long.toHexString(magic) + ", not " + Long.toHexString(MAGIC));
        }
        final long version = memory.get(VERSION_OFFSET);
        if (version != VERSION)
        {
            throw new ExchangeException("the file has version " + version + ", this library has version " + VERSION);
        }
        final long counts = memory.get(COUNTS_OFFSET);
        final long sizes = memory.get(SIZES_OFFSET);
        final ExchangeLayout layout;
        try
        {
            layout = new ExchangeLayout((int)counts, (int)(counts >>> Integer.SIZE), (int)sizes,
                (int)(sizes >>> Integer.SIZE));
        }
        catch (final IllegalArgumentException ex)
        {
            throw new ExchangeException("the file's header is damaged: " + ex.getMessage(), ex);
        }
        final long hash = memory.get(HASH_OFFSET);
        if (hash != layout.hash())
        {
            throw new ExchangeException("the file has layout hash " + Long.toHexString(hash) +
                ", this library has " + Long.toHexString(layout.hash()));
        }
        final long bytes = memory.get(FILE_BYTES_OFFSET);
        if (bytes != layout.fileBytes || availableBytes < layout.fileBytes)
        {
            throw new ExchangeException("the file has " + availableBytes + " bytes and says " + bytes +
                "; its layout has " + layout.fileBytes);
        }
        return layout;
    }
}
