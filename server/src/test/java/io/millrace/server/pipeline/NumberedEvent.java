package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;

/**
 * An event whose whole content follows from its number, so that any reader can check it.
 */
final class NumberedEvent extends BasePoolAware
{
    static final long NOTHING = -1;

    long number = NOTHING;
    private long mixed;
    private int low;
    private long hash;

    NumberedEvent fill(final long newNumber)
    {
        number = newNumber;
        mixed = mix(newNumber);
        low = (int)newNumber;
        hash = number * 31 + mixed * 17 + low;
        return this;
    }

    boolean isWhole(final long expected)
    {
        return number == expected && mixed == mix(expected) && low == (int)expected &&
            hash == expected * 31 + mix(expected) * 17 + (int)expected;
    }

    void requireWhole(final long expected)
    {
        if (!isWhole(expected))
        {
            throw new AssertionError("expected event " + expected + ", found " + this);
        }
    }

    /** After David Stafford's 64-bit finalizers: every bit of the number reaches many bits of the result. */
    static long mix(final long value)
    {
        final long first = (value ^ value >>> 31) * 0x7fb5d329728ea185L;
        final long second = (first ^ first >>> 27) * 0x81dadef4bc2dd44dL;
        return second ^ second >>> 33;
    }

    @Override
    protected void onRelease()
    {
        // Poison: a read after the last release shows it.
        number = NOTHING;
        mixed = 0;
        low = 0;
        hash = 0;
    }

    @Override
    public String toString()
    {
        return "event " + number + (isWhole(number) ? "" : " (torn: " + mixed + ", " + low + ", " + hash + ")");
    }
}
