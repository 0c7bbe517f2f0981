package io.millrace.benchmarks.flow;

/**
 * A sum over all fields of all events in their order: one event lost, repeated, swapped or changed in one field gives
 * another sum. Not a cryptographic one. The products do not wait for each other, so that the handler pays a few
 * cycles. Stateless; any thread.
 */
public final class FieldChecksum
{
    /**
     * The sum of no events.
     */
    public static final long START = 1;

    // Odd multipliers with about half of their bits set; a field has its own, so that two cannot change places.
    private static final long SEQ = 0x9E3779B97F4A7C15L;
    private static final long WORD = 0xBF58476D1CE4E5B9L;
    private static final long ORDER_ID = 0x94D049BB133111EBL;
    private static final long UID = 0xD6E8FEB86659FD93L;
    private static final long PRICE = 0xA0761D6478BD642FL;
    private static final long SIZE = 0xE7037ED1A0B428DBL;
    private static final long RESERVE = 0x8EBC6AF09C88C6E3L;
    private static final long STEP = 0x589965CC75374CC3L;

    private FieldChecksum()
    {
    }

    /**
     * Add one event.
     *
     * @param sum             the sum so far, {@link #START} at first.
     * @param seq             a field.
     * @param word            a field.
     * @param orderId         a field.
     * @param uid             a field.
     * @param price           a field.
     * @param size            a field.
     * @param reserveBidPrice a field.
     * @return the new sum.
     */
    public static long add(
        final long sum,
        final int seq,
        final int word,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reserveBidPrice)
    {
        final long fields = seq * SEQ + word * WORD + orderId * ORDER_ID + uid * UID +
            price * PRICE + size * SIZE + reserveBidPrice * RESERVE;
        return sum * STEP + (fields ^ fields >>> 32);
    }
}
