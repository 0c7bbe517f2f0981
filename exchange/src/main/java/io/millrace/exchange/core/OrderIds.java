package io.millrace.exchange.core;

/**
 * Maps a client's order id to the engine's and back, without a table. Each client has its own ids, and the engine's
 * ids, which other clients see in trades, do not tell whose they are. The map is a Feistel permutation of four rounds
 * with a key. It hides clients from readers without the key; it is no cipher. Immutable.
 */
public final class OrderIds
{
    /** Greatest order id of a client. */
    public static final long MAX_ID = (1L << 48) - 1;

    /** Greatest number of a client. */
    public static final int MAX_CLIENT = 0xFFFF;

    private static final int CLIENT_SHIFT = 48;
    private static final int ROUNDS = 4;

    private final int[] keys = new int[ROUNDS];
    private final long key;

    /**
     * Creates a map.
     *
     * @param key any number; a journal keeps its key for ever.
     */
    public OrderIds(final long key)
    {
        this.key = key;
        for (int round = 0; round < ROUNDS; round++)
        {
            keys[round] = mix((int)(key >>> (round & 1) * Integer.SIZE), 0x9E37_79B9 * (round + 1));
        }
    }

    long key()
    {
        return key;
    }

    /**
     * The engine's id of a client's order.
     *
     * @param client 1 to {@link #MAX_CLIENT}.
     * @param id     1 to {@link #MAX_ID}.
     * @return any number, never twice.
     */
    public long toEngine(final int client, final long id)
    {
        final long plain = (long)client << CLIENT_SHIFT | id;
        int left = (int)(plain >>> Integer.SIZE);
        int right = (int)plain;
        for (int round = 0; round < ROUNDS; round++)
        {
            final int next = left ^ mix(right, keys[round]);
            left = right;
            right = next;
        }
        return (long)left << Integer.SIZE | right & 0xFFFF_FFFFL;
    }

    /**
     * The client's id of an order.
     *
     * @param engineId from {@link #toEngine}.
     * @return the id.
     */
    public long toClient(final long engineId)
    {
        return plain(engineId) & MAX_ID;
    }

    /** The client of an order. */
    int clientOf(final long engineId)
    {
        return (int)(plain(engineId) >>> CLIENT_SHIFT);
    }

    private long plain(final long engineId)
    {
        int left = (int)(engineId >>> Integer.SIZE);
        int right = (int)engineId;
        for (int round = ROUNDS - 1; round >= 0; round--)
        {
            final int before = right ^ mix(left, keys[round]);
            right = left;
            left = before;
        }
        return (long)left << Integer.SIZE | right & 0xFFFF_FFFFL;
    }

    /** The finalizer of MurmurHash3 for 32 bits, with a key. */
    private static int mix(final int value, final int key)
    {
        int h = value ^ key;
        h = (h ^ h >>> 16) * 0x85EB_CA6B;
        h = (h ^ h >>> 13) * 0xC2B2_AE35;
        return h ^ h >>> 16;
    }
}
