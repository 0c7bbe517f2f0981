package io.millrace.engine.book;

/**
 * Visits the resting orders at a price by priority, and may stop.
 */
@FunctionalInterface
public interface OrderVisitor
{
    /**
     * Visits one order.
     * @param orderId its id.
     * @param uid     its user.
     * @param visible visible quantity, in lots.
     * @param open    open quantity, in lots; more than visible for an iceberg.
     * @return false to visit no further order.
     */
    boolean onOrder(long orderId, long uid, long visible, long open);
}
