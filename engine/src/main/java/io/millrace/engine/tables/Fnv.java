package io.millrace.engine.tables;

/**
 * FNV-1a of 64 bits over longs, lowest byte first, and a finalizer. The hash is equal on every JVM. It is not secure:
 * an attacker who chooses the numbers can make two hashes equal. Stateless; any thread.
 * <p>
 * Sources: Fowler, Noll, Vo, the FNV non-cryptographic hash algorithm. The finalizer is variant 13 of David Stafford's
 * "Better Bit Mixing", 2011, which SplitMix64 uses.
 */
public final class Fnv
{
    /**
     * Hash of no longs, the start value.
     */
    public static final long OFFSET = 0xcbf29ce484222325L;

    private static final long PRIME = 0x100000001b3L;
    private static final long PRIME_2 = PRIME * PRIME;
    private static final long PRIME_4 = PRIME_2 * PRIME_2;
    private static final long PRIME_7 = PRIME_4 * PRIME_2 * PRIME;
    private static final long PRIME_8 = PRIME_4 * PRIME_4;

    private Fnv()
    {
    }

    /**
     * Adds one long.
     * @param hash  {@link #OFFSET}, or the hash of the previous longs.
     * @param value any number.
     * @return the hash of all of them.
     */
    public static long add(final long hash, final long value)
    {
        // A zero byte only multiplies, so a power of the prime replaces the zero bytes of a small number.
        if (value >>> Byte.SIZE == 0)
        {
            return (hash ^ value) * PRIME_8;
        }
        return value >>> Short.SIZE == 0 ?
            ((hash ^ value & 0xff) * PRIME ^ value >>> Byte.SIZE) * PRIME_7 : addLarge(hash, value);
    }

    private static long addLarge(final long hash, final long value)
    {
        final long low = addInt(hash, (int)value);
        return value >>> Integer.SIZE == 0 ? low * PRIME_4 : addInt(low, (int)(value >>> Integer.SIZE));
    }

    private static long addInt(final long hash, final int value)
    {
        long result = hash;
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE)
        {
            result = (result ^ value >>> shift & 0xff) * PRIME;
        }
        return result;
    }

    /**
     * Finishes a hash before it is added to others. FNV-1a alone does not suit sums: after its last non-zero byte it
     * only multiplies. So that byte is linear in a sum, and two rows that exchange such bytes do not change the sum.
     * The function is a bijection: different hashes stay different.
     * @param hash the hash of all longs.
     * @return 64 bits, each of which depends on all bits of the hash.
     */
    public static long mix(final long hash)
    {
        long result = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
        result = (result ^ result >>> 27) * 0x94d049bb133111ebL;
        return result ^ result >>> 31;
    }
}
