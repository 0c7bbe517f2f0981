package io.millrace.gateway.itch;

import io.millrace.pool.PaddedLong;
import io.millrace.server.Counters;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Checks messages by type and length, and counts them. The reading thread writes; any thread reads. Writes are opaque
 * and pair with the opaque reads of the getters: each counter is exact alone, but two counters are not read at once.
 */
public final class ItchCounters
{
    static final int TYPES = 128;

    private final AtomicLongArray messages = new AtomicLongArray(TYPES);
    private final PaddedLong unknownTypes = new PaddedLong(0);
    private final PaddedLong wrongLengths = new PaddedLong(0);
    private final PaddedLong truncated = new PaddedLong(0);
    private final PaddedLong bytesSkipped = new PaddedLong(0);

    /** All counters are 0. */
    public ItchCounters()
    {
    }

    /**
     * Check a message and count it. The reading thread only.
     *
     * @param bytes  has the message.
     * @param offset of the message.
     * @param length its bytes, which are all in the array; 0 or more.
     * @return true if the type is known and has this length.
     */
    public boolean accept(final byte[] bytes, final int offset, final int length)
    {
        if (length > 0)
        {
            final byte type = bytes[offset];
            if (ItchDescriptor.length(type) == length)
            {
                count(type);
                return true;
            }
        }
        refuse(bytes, offset, length);
        return false;
    }

    /** A message of a known type. */
    void count(final byte type)
    {
        messages.setOpaque(type, messages.getPlain(type) + 1);
    }

    /** Messages by type that were counted aside, because each opaque write stops the compiler; empties the counts. */
    void add(final int[] counts)
    {
        for (int i = 0; i < ItchDescriptor.types().length(); i++)
        {
            final char type = ItchDescriptor.types().charAt(i);
            if (counts[type] != 0)
            {
                messages.setOpaque(type, messages.getPlain(type) + counts[type]);
                counts[type] = 0;
            }
        }
    }

    private void refuse(final byte[] bytes, final int offset, final int length)
    {
        final PaddedLong counter =
            length > 0 && ItchDescriptor.length(bytes[offset]) == 0 ? unknownTypes : wrongLengths;
        counter.addOpaque(1);
        bytesSkipped.addOpaque(length);
    }

    /** The input ended inside of a message. */
    void truncated(final long count)
    {
        truncated.addOpaque(1);
        bytesSkipped.addOpaque(count);
    }

    /**
     * Messages of a type. Any thread.
     *
     * @param type a letter.
     * @return number of delivered messages.
     */
    public long messages(final char type)
    {
        return type < TYPES ? messages.getOpaque(type) : 0;
    }

    /**
     * Messages of all types. Any thread.
     *
     * @return number of delivered messages.
     */
    public long messages()
    {
        long sum = 0;
        for (int i = 0; i < TYPES; i++)
        {
            sum += messages.getOpaque(i);
        }
        return sum;
    }

    /**
     * Skipped messages that begin with no type of the protocol. Any thread.
     *
     * @return a count.
     */
    public long unknownTypes()
    {
        return unknownTypes.getOpaque();
    }

    /**
     * Skipped messages whose length is not the one of their type, or is 0. Any thread.
     *
     * @return a count.
     */
    public long wrongLengths()
    {
        return wrongLengths.getOpaque();
    }

    /**
     * Incomplete messages at the end of a file. Any thread.
     *
     * @return 0 or 1.
     */
    public long truncated()
    {
        return truncated.getOpaque();
    }

    /**
     * Bytes of messages that were not delivered. Any thread.
     *
     * @return bytes.
     */
    public long bytesSkipped()
    {
        return bytesSkipped.getOpaque();
    }

    void addTo(final Counters counters, final String name)
    {
        counters.add(name + ".messages", "ITCH messages with a known type and its length", this::messages);
        counters.add(name + ".unknownTypes", "messages skipped because no type has their letter", this::unknownTypes);
        counters.add(name + ".wrongLengths", "messages skipped because their type has another length",
            this::wrongLengths);
        counters.add(name + ".truncated", "incomplete messages at the end of the input", this::truncated);
        counters.add(name + ".bytesSkipped", "bytes of skipped messages", this::bytesSkipped);
    }
}
