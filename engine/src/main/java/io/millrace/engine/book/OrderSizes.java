package io.millrace.engine.book;

/** Receives the sizes of one order from {@link OrderBook#readSizes}. */
@FunctionalInterface
public interface OrderSizes
{
    /**
     * The sizes.
     *
     * @param open   in lots; 0 when there is no such order.
     * @param filled in lots; 0 when there is no such order.
     */
    void onSizes(long open, long filled);
}
