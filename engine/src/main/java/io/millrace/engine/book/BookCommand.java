package io.millrace.engine.book;

/**
 * What {@link OrderBook#execute} is asked for, as a byte. The numbers never change; those of the engine's commands
 * about orders are the same.
 */
public final class BookCommand
{
    /**
     * A new order.
     */
    public static final byte PLACE = 1;

    /**
     * Take an order out.
     */
    public static final byte CANCEL = 2;

    /**
     * Make an order smaller by a size.
     */
    public static final byte REDUCE = 3;

    /**
     * Give an order another price.
     */
    public static final byte MOVE = 4;

    /**
     * Give an order another price and another size.
     */
    public static final byte REPLACE = 5;

    private BookCommand()
    {
    }
}
