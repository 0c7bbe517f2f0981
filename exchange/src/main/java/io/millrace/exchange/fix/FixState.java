package io.millrace.exchange.fix;

import io.millrace.engine.tables.RowTable;

import java.util.Arrays;

/**
 * What is left of a client's FIX session between its connections: sequences, which message had which answer, and the
 * quantities of its orders. Lives as long as the exchange runs. The agent of order entry. Memory: 5 longs for each of
 * the last {@value #WINDOW} answers, one for each of the last {@value #MESSAGES} messages, and 88 bytes for each of
 * {@value #ORDERS} orders: 2 MB.
 */
final class FixState
{
    /** Answers that can be sent again; the exchange keeps 4,096 by default. */
    static final int WINDOW = 1 << 13;
    /** Messages of which is known whether they can be sent again. */
    static final int MESSAGES = 1 << 15;
    /** Open orders with quantities. */
    static final int ORDERS = 1 << 14;

    private static final int QUANTITY = 1;
    private static final int FILLED = 2;
    private static final int COST = 3;
    private static final int SYMBOL = 4;
    private static final int SIDE = 5;
    private static final int SYMBOL_SHIFT = 48;
    private static final int WINDOW_MASK = WINDOW - 1;
    private static final int MESSAGE_MASK = MESSAGES - 1;

    /** MsgSeqNum of the client's next message. */
    long inNext = 1;
    /** MsgSeqNum of our next message. */
    long outNext = 1;
    /** Last message that is for an answer; 0 for none. */
    private long lastAnswered;
    /** First answer that has no message yet, or gets a new one. */
    long nextAnswer;
    /** First answer that has changed the orders; all after it have, too. */
    private long firstChange;
    /** First answer that has not changed the orders yet. */
    private long nextChange;

    /** Answer of a message; 0 for one of the session. */
    private final long[] answerOf = new long[MESSAGES];
    /** Message of an answer; 0 for none. */
    private final long[] messageOf = new long[WINDOW];
    private final long[] quantityOf = new long[WINDOW];
    private final long[] filledOf = new long[WINDOW];
    private final double[] costOf = new double[WINDOW];
    /** Answer whose quantities are kept. */
    private final long[] keptOf = new long[WINDOW];
    private final RowTable orders = RowTable.ofNumbers(ORDERS);

    void reset()
    {
        inNext = 1;
        outNext = 1;
        lastAnswered = 0;
        Arrays.fill(answerOf, 0);
        Arrays.fill(messageOf, 0);
    }

    /** A logon: answers follow from this one on. They may have been there before, but change the orders once. */
    void begin(final long answer)
    {
        nextAnswer = answer;
        if (answer > nextChange || answer < firstChange || nextChange - answer > WINDOW)
        {
            // Answers were left out, or the quantities behind the first of them are not kept: the orders count anew.
            firstChange = answer;
            nextChange = answer;
            for (int h = orders.end() - 1; h >= 0; h--)
            {
                if (orders.isUsed(h))
                {
                    orders.remove(h);
                }
            }
        }
    }

    /** Whether an answer changes the orders. Its quantities are kept otherwise. */
    boolean isNew(final long answer)
    {
        final boolean isNew = answer >= nextChange;
        nextChange = isNew ? answer + 1 : nextChange;
        return isNew;
    }

    /** The next message is for an answer, or for none. Returns its MsgSeqNum. */
    long nextMessage(final long answer)
    {
        answerOf[(int)outNext & MESSAGE_MASK] = answer;
        if (answer != 0)
        {
            messageOf[(int)answer & WINDOW_MASK] = outNext;
            lastAnswered = outNext;
        }
        return outNext++;
    }

    void noMessage(final long answer)
    {
        messageOf[(int)answer & WINDOW_MASK] = 0;
    }

    /** Message of an answer; 0 for none, or if it is not known any more. */
    long messageOf(final long answer)
    {
        final long message = messageOf[(int)answer & WINDOW_MASK];
        return answerOf[(int)message & MESSAGE_MASK] == answer ? message : 0;
    }

    /** First answer whose message has at least this MsgSeqNum; 0 for none, -1 if that is not known any more. */
    long firstAnswer(final long message)
    {
        if (outNext - message > MESSAGES)
        {
            return -1;
        }
        // Behind it are messages of the session only: a client may have made many, and ask for them in a flood.
        for (long m = message; m <= lastAnswered; m++)
        {
            final long answer = answerOf[(int)m & MESSAGE_MASK];
            if (answer != 0)
            {
                return nextAnswer - answer > WINDOW ? -1 : answer;
            }
        }
        return 0;
    }

    /** Row of an order; NONE if it is not counted. By the binary protocol, an account may use an id in each symbol. */
    int find(final int symbol, final long order)
    {
        final int h = orders.find(key(symbol, order));
        return h != RowTable.NONE && symbol(h) == symbol ? h : RowTable.NONE;
    }

    /** The low bits of the symbol are above the client's id. Of two orders with one key, the second is not counted. */
    private static long key(final int symbol, final long order)
    {
        return (long)symbol << SYMBOL_SHIFT ^ order;
    }

    /** Nothing happens when the table is full: {@link FixReports} then takes what is left from each answer. */
    void add(final int symbol, final long order, final byte side, final long quantity)
    {
        final long key = key(symbol, order);
        if (orders.find(key) == RowTable.NONE && orders.freeRows() > 0)
        {
            final int h = orders.add(key);
            orders.set(h, QUANTITY, quantity);
            orders.set(h, SYMBOL, symbol);
            orders.set(h, SIDE, side);
        }
    }

    /** @param open what is left of the order. */
    void replace(final int symbol, final long before, final long order, final long open)
    {
        final int old = find(symbol, before);
        if (old == RowTable.NONE)
        {
            return;
        }
        final long filled = filled(old);
        final double cost = cost(old);
        final byte side = side(old);
        orders.remove(old);
        add(symbol, order, side, filled + open);
        final int h = find(symbol, order);
        if (h != RowTable.NONE)
        {
            orders.set(h, FILLED, filled);
            cost(h, cost);
        }
    }

    void fill(final int h, final long size, final long price)
    {
        orders.set(h, FILLED, filled(h) + size);
        cost(h, cost(h) + (double)size * price);
    }

    private void cost(final int h, final double cost)
    {
        orders.set(h, COST, Double.doubleToRawLongBits(cost));
    }

    void quantity(final int h, final long quantity)
    {
        orders.set(h, QUANTITY, quantity);
    }

    void remove(final int h)
    {
        orders.remove(h);
    }

    long quantity(final int h)
    {
        return orders.get(h, QUANTITY);
    }

    long filled(final int h)
    {
        return orders.get(h, FILLED);
    }

    /** Sum of sizes times prices, which may exceed a long. */
    double cost(final int h)
    {
        return Double.longBitsToDouble(orders.get(h, COST));
    }

    int symbol(final int h)
    {
        return (int)orders.get(h, SYMBOL);
    }

    byte side(final int h)
    {
        return (byte)orders.get(h, SIDE);
    }

    /** Keeps the quantities as they are after an answer. */
    void keep(final long answer, final long quantity, final long filled, final double cost)
    {
        final int at = (int)answer & WINDOW_MASK;
        keptOf[at] = answer;
        quantityOf[at] = quantity;
        filledOf[at] = filled;
        costOf[at] = cost;
    }

    /** Whether the quantities behind an answer are kept. */
    boolean isKept(final long answer)
    {
        return keptOf[(int)answer & WINDOW_MASK] == answer;
    }

    long keptQuantity(final long answer)
    {
        return quantityOf[(int)answer & WINDOW_MASK];
    }

    long keptFilled(final long answer)
    {
        return filledOf[(int)answer & WINDOW_MASK];
    }

    double keptCost(final long answer)
    {
        return costOf[(int)answer & WINDOW_MASK];
    }
}
