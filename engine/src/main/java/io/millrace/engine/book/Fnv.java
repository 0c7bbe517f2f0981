package io.millrace.engine.book;

/**
 * FNV-1a of 64 bits over longs, each with its lowest byte first: the hash that is equal on every JVM. It is no secret
 * and no defence, whoever chooses the numbers can make two hashes equal. Stateless; any thread.
 * <p>
 * Source: Fowler, Noll, Vo, the FNV non-cryptographic hash algorithm.
 */
public final class Fnv
{
    /**
     * Hash of nothing, to begin with.
     */
    public static final long OFFSET = 0xcbf29ce484222325L;

    private static final long PRIME = 0x100000001b3L;

    private Fnv()
    {
    }

    /**
     * One more long.
     *
     * @param hash  {@link #OFFSET}, or the hash of the longs before.
     * @param value any number.
     * @return the hash of all of them.
     */
    public static long add(final long hash, final long value)
    {
        long result = hash;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE)
        {
            result = (result ^ value >>> shift & 0xff) * PRIME;
        }
        return result;
    }
}
